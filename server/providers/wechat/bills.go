package wechat

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha1" // the vendor's hash_type
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/consts"

	"marquee/server/fault"
	"marquee/server/providers/transport"
	"marquee/server/reconcile"
)

const (
	// billPath is the path of every download_url of the vendor.
	billPath = "/v3/billdownload/file"
	// billHosts is the domain of the vendor's pay hosts, except payHostBackup. A download_url at any other host is
	// rejected. Whatever host it has, the file is downloaded from PayHost or payHostBackup.
	billHosts = ".mch.weixin.qq.com"
	// maxBill is the maximum size of a bill in bytes, compressed or not. A row has about 400 bytes.
	maxBill = 2 << 30
)

// TradeBill implements reconcile.Statement: the trade bill of a day, with payments and refunds.
func (p *Pay) TradeBill(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) (err error) {
	ctx, end := p.bills.Begin(ctx, "trades_bill")
	defer end(&err)
	query := url.Values{"bill_date": {string(day)}, "bill_type": {"ALL"}, "tar_type": {"GZIP"}}
	return p.bill(ctx, "/v3/bill/tradebill", query, tradeBill, each)
}

// FundFlowBill implements reconcile.Statement: the movements of the merchant's basic account on a day, except those
// that are neither payments nor refunds (fees, withdrawals).
func (p *Pay) FundFlowBill(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) (err error) {
	ctx, end := p.bills.Begin(ctx, "funds_bill")
	defer end(&err)
	query := url.Values{"bill_date": {string(day)}, "account_type": {"BASIC"}, "tar_type": {"GZIP"}}
	return p.bill(ctx, "/v3/bill/fundflowbill", query, fundFlowBill, each)
}

// announced is the vendor's answer to the request for a bill.
type announced struct {
	HashType    string `json:"hash_type"`
	HashValue   string `json:"hash_value"`
	DownloadURL string `json:"download_url"`
}

// bill fetches a bill into a temporary file, compares its hash, and reads its rows.
func (p *Pay) bill(
	ctx context.Context, path string, query url.Values, format billFormat, each func(reconcile.Row) error,
) error {
	a, err := p.requestBill(ctx, path, query)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp("", "bill-*")
	if err != nil {
		return fmt.Errorf("store bill: %w", err)
	}
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name()) // a bill contains buyers and amounts
	}()
	if err := p.downloadBill(ctx, a, file); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read bill: %w", err)
	}
	if err := format.read(file, each); err != nil {
		return fmt.Errorf("%s of %s: %w", path, query.Get("bill_date"), err)
	}
	return nil
}

// requestBill fetches the download URL and the hash of a bill.
func (p *Pay) requestBill(ctx context.Context, path string, query url.Values) (a announced, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.cfg.Operations.Within()) // the limit of ctx is for the download
	defer cancel()
	if err := p.keys.prepareQuery(ctx); err != nil {
		return a, err
	}
	var answer []byte
	var apiErr *core.APIError
	err = p.exchange(ctx, transport.Query, path, func(ctx context.Context) error {
		apiErr = nil
		result, err := p.trades.Client.Get(ctx, consts.WechatPayAPIServer+path+"?"+query.Encode())
		if err != nil {
			errors.As(err, &apiErr)
			return err
		}
		defer func() { _ = result.Response.Body.Close() }()
		answer, err = io.ReadAll(result.Response.Body)
		return err
	})
	switch {
	case apiErr != nil && apiErr.Code == "NO_STATEMENT_EXIST":
		return a, fmt.Errorf("%s: %w: %s", path, reconcile.ErrNone, apiErr.Message)
	case apiErr != nil && apiErr.Code == "STATEMENT_CREATING":
		return a, fmt.Errorf("%s: %w: %s", path, reconcile.ErrNotReady, apiErr.Message)
	case err != nil:
		return a, err
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return a, transport.Query.BadAnswer(path, err)
	}
	u, err := url.Parse(a.DownloadURL)
	switch {
	case err != nil || u.Scheme != "https" || !isPayHost(u.Host) || u.Path != billPath:
		return a, transport.Query.BadAnswer(path, errors.New("download_url is not a URL of the vendor"))
	case a.HashType != "SHA1" || len(a.HashValue) != hex.EncodedLen(sha1.Size):
		return a, transport.Query.BadAnswer(path, fmt.Errorf("hash of type %q with %d digits", a.HashType,
			len(a.HashValue)))
	}
	return a, nil
}

func isPayHost(host string) bool { return host == payHostBackup || strings.HasSuffix(host, billHosts) }

// gzipMagic is the beginning of a compressed file.
var gzipMagic = []byte{0x1f, 0x8b}

// downloadBill writes the uncompressed bill into the file. It returns reconcile.ErrDamaged unless the announced hash is
// that of the uncompressed bill, as the vendor documents, or of the file.
func (p *Pay) downloadBill(ctx context.Context, a announced, file io.Writer) error {
	var damaged error // the error of a file whose transfer has begun
	_, err := p.hosts.attempts(ctx, func(ctx context.Context) error {
		result, err := p.downloads.Get(ctx, a.DownloadURL)
		if err != nil {
			return err
		}
		defer func() { _ = result.Response.Body.Close() }()
		damaged = storeBill(a, result.Response.Body, file)
		return nil
	})
	if err != nil {
		return callError(transport.Query, billPath, err)
	}
	return damaged
}

// storeBill writes the uncompressed bill into the file and compares its hash.
func storeBill(a announced, answer io.Reader, file io.Writer) error {
	sent, plain := sha1.New(), sha1.New()
	body := io.TeeReader(&cappedReader{answer, maxBill}, sent)
	if err := unpack(body, io.MultiWriter(file, plain)); err != nil {
		return fmt.Errorf("%s: %w: %w", billPath, reconcile.ErrTruncated, transport.WithoutURL(err))
	}
	if !matches(a.HashValue, sent, plain) {
		return fmt.Errorf("%s: %w: hash differs from the announced one", billPath, reconcile.ErrDamaged)
	}
	return nil
}

func matches(announced string, sums ...hash.Hash) bool {
	for _, h := range sums {
		if strings.EqualFold(announced, hex.EncodeToString(h.Sum(nil))) {
			return true
		}
	}
	return false
}

// unpack copies a file, decompresses it if it is compressed, and reads it to its end.
func unpack(body io.Reader, to io.Writer) error {
	head := make([]byte, len(gzipMagic))
	n, err := io.ReadFull(body, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	body = io.MultiReader(bytes.NewReader(head[:n]), body)
	plain := body
	if bytes.Equal(head, gzipMagic) {
		if plain, err = gzip.NewReader(body); err != nil {
			return err
		}
	}
	if _, err := io.Copy(to, &cappedReader{plain, maxBill}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, body) // the hash of the file includes anything after the compressed bill
	return err
}

// cappedReader fails beyond a number of bytes.
type cappedReader struct {
	io.Reader
	left int64
}

// Read implements io.Reader.
func (r *cappedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if r.left -= int64(n); r.left < 0 {
		return 0, fmt.Errorf("%w: over %d bytes", fault.ErrBadAnswer, int64(maxBill))
	}
	return n, err
}
