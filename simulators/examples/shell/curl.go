package shell

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// transfer is a parsed command line.
type transfer struct {
	method, url          string
	header               http.Header
	data                 []string
	cookiesIn, cookies   string // files
	output, report       string // -o, -w
	hasData, failOnError bool
	retries              int // after a refused connection
	delay                time.Duration
}

// curl makes one call and returns the exit status of curl. It supports the options that the documentation uses; any
// other one is exit status 2.
func curl(args []string, stdout, stderr io.Writer) int {
	t, err := parse(args)
	if err != nil {
		fmt.Fprintln(stderr, "curl:", err)
		return 2
	}
	status, err := t.run(stdout)
	for ; t.retries > 0 && errors.Is(err, syscall.ECONNREFUSED); t.retries-- {
		time.Sleep(t.delay)
		status, err = t.run(stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "curl:", err)
		return 7
	case t.failOnError && status >= http.StatusBadRequest:
		return 22
	}
	return 0
}

// parse reads a command line.
func parse(args []string) (*transfer, error) {
	t := &transfer{header: http.Header{}}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch arg {
		case "-s", "-sS", "--retry-connrefused": // ignored: retries always follow a refused connection only
			continue
		case "-f", "-fs", "-sf", "-fsS":
			t.failOnError = true
			continue
		}
		if !strings.HasPrefix(arg, "-") {
			t.url = arg
			continue
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("%s needs a value", arg)
		}
		value := args[0]
		args = args[1:]
		switch arg {
		case "-X":
			t.method = value
		case "-H":
			name, text, _ := strings.Cut(value, ":")
			t.header.Set(name, strings.TrimSpace(text))
		case "-d":
			t.data, t.hasData = append(t.data, value), true
		case "--data-binary":
			text, err := os.ReadFile(strings.TrimPrefix(value, "@"))
			if err != nil {
				return nil, err
			}
			t.data, t.hasData = append(t.data, string(text)), true
		case "--data-urlencode":
			name, text, _ := strings.Cut(value, "=")
			t.data, t.hasData = append(t.data, name+"="+url.QueryEscape(text)), true
		case "-b":
			t.cookiesIn = value
		case "-c":
			t.cookies = value
		case "-o":
			t.output = value
		case "-w":
			t.report = value
		case "--retry", "--retry-delay":
			number, err := strconv.Atoi(value)
			if err != nil {
				return nil, fmt.Errorf("%s %q is not a number", arg, value)
			}
			if arg == "--retry" {
				t.retries = number
			} else {
				t.delay = time.Duration(number) * time.Second
			}
		default:
			return nil, fmt.Errorf("the stand-in for curl does not support %s", arg)
		}
	}
	if t.url == "" {
		return nil, fmt.Errorf("no address")
	}
	return t, nil
}

// run makes the call once and returns the HTTP status.
func (t *transfer) run(stdout io.Writer) (int, error) {
	if t.method == "" {
		t.method = http.MethodGet
		if t.hasData {
			t.method = http.MethodPost
		}
	}
	request, err := http.NewRequest(t.method, t.url, strings.NewReader(strings.Join(t.data, "&")))
	if err != nil {
		return 0, err
	}
	request.Header = t.header
	if t.hasData && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if known, err := os.ReadFile(t.cookiesIn); err == nil && t.cookiesIn != "" {
		for line := range strings.Lines(string(known)) {
			request.Header.Add("Cookie", strings.TrimSpace(line))
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if t.cookies != "" {
		file, err := os.OpenFile(t.cookies, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return 0, err
		}
		for _, c := range response.Cookies() {
			fmt.Fprintf(file, "%s=%s\n", c.Name, c.Value)
		}
		if err := file.Close(); err != nil {
			return 0, err
		}
	}
	to := stdout
	if t.output != "" {
		file, err := os.OpenFile(t.output, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		to = file
	}
	if _, err := io.Copy(to, response.Body); err != nil {
		return 0, err
	}
	_, err = io.WriteString(stdout, t.reported(response))
	return response.StatusCode, err
}

// reported is the format of the option -w with its variables replaced.
func (t *transfer) reported(response *http.Response) string {
	location := ""
	if at, err := response.Location(); err == nil {
		location = at.String()
	}
	variables := strings.NewReplacer("%{redirect_url}", location, "%{http_code}", fmt.Sprint(response.StatusCode))
	return variables.Replace(t.report)
}
