package sms

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// TencentHost is the host name of the second dialect's vendor.
const TencentHost = "sms.tencentcloudapi.com"

const (
	tencentAction  = "SendSms"
	tencentVersion = "2021-01-11"
)

// tencentRegions are those that the vendor sends messages from.
var tencentRegions = []string{"ap-beijing", "ap-guangzhou", "ap-nanjing"}

// tencentError refuses a whole call. Every answer of this vendor is HTTP 200.
type tencentError struct {
	code, message string
	detail        string // for the journal
}

func (e *tencentError) reason() string {
	if e.detail != "" {
		return e.code + ": " + e.detail
	}
	return e.code + ": " + e.message
}

// TencentHandler answers the calls of the second dialect.
func (s *Simulator) TencentHandler() http.Handler { return s.second }

func (s *Simulator) tencentEndpoint(plan *script.Plan, kept *journal.Journal) http.Handler {
	return &script.Endpoint{
		Provider: Name, Plan: plan, Journal: kept,
		Operation: func(r *http.Request, _ []byte) string {
			if r.Header.Get("X-TC-Action") == tencentAction {
				return opTencentSend
			}
			return ""
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			if code == "" {
				code, message = "InternalError.OtherError", or(message, "An internal error has occurred. Retry your request.")
			}
			s.tencentRefuse(w, &tencentError{code: code, message: message})
		},
		Next: http.HandlerFunc(s.serveTencent),
	}
}

// serveTencent checks what every call of the vendor's API has in common.
func (s *Simulator) serveTencent(w http.ResponseWriter, r *http.Request) {
	refused := s.verifyTencent(r, time.Now())
	if refused == nil {
		refused = tencentCommon(r)
	}
	if refused == nil {
		refused = s.tencentSend(w, r)
	}
	if refused != nil {
		journal.From(r.Context()).Refuse(refused.reason())
		s.tencentRefuse(w, refused)
	}
}

// tencentCommon checks the parameters in the headers.
func tencentCommon(r *http.Request) *tencentError {
	region := r.Header.Get("X-TC-Region")
	switch {
	case r.Header.Get("X-TC-Action") != tencentAction:
		return &tencentError{code: "InvalidAction", message: "The requested action `" + r.Header.Get("X-TC-Action") + "` is invalid or not found."}
	case r.Header.Get("X-TC-Version") != tencentVersion:
		return &tencentError{code: "NoSuchVersion", message: "The requested version `" + r.Header.Get("X-TC-Version") + "` does not exist."}
	case region == "":
		return &tencentError{code: "MissingParameter", message: "The request is missing a required parameter `Region`."}
	case !slices.Contains(tencentRegions, region):
		return &tencentError{code: "UnsupportedRegion", message: "The region `" + region + "` is not supported."}
	}
	return nil
}

// verifyTencent checks the signature and its time against real time. The vendor knows no nonce.
func (s *Simulator) verifyTencent(r *http.Request, now time.Time) *tencentError {
	if r.Method != http.MethodPost {
		return &tencentError{code: "UnsupportedProtocol", message: "HTTP(S) request protocol error; POST with application/json is supported."}
	}
	auth, err := parseTC3(r.Header.Get("Authorization"))
	if err != nil {
		return &tencentError{"AuthFailure.InvalidAuthorization", "The Authorization in the request header does not conform to the standard.", err.Error()}
	}
	timestamp := r.Header.Get("X-TC-Timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return &tencentError{"MissingParameter", "The request is missing a required parameter `Timestamp`.", "X-TC-Timestamp is " + strconv.Quote(timestamp)}
	}
	if age := now.Sub(time.Unix(at, 0)); age > tc3Window || age < -tc3Window {
		return &tencentError{
			"AuthFailure.SignatureExpire", "Signature expired. The timestamp and the server's time must not differ by more than five minutes.",
			fmt.Sprintf("X-TC-Timestamp is %s off", age.Round(time.Second)),
		}
	}
	if auth.SecretID != s.tencent.SecretID {
		return &tencentError{
			"AuthFailure.SecretIdNotFound", "The SecretId is not found, please ensure that your SecretId is correct.",
			"secret id " + auth.SecretID + " is not " + s.tencent.SecretID,
		}
	}
	const failed = "The provided credentials could not be validated. Please check your signature is correct."
	if date := time.Unix(at, 0).UTC().Format(time.DateOnly); auth.Date != date || auth.Service != tc3Service {
		return &tencentError{"AuthFailure.SignatureFailure", failed, "the scope is " + auth.scope() + ", expected " + date + "/" + tc3Service + "/tc3_request"}
	}
	payload := hashHex(journal.From(r.Context()).Body)
	if r.Header.Get("X-TC-Content-SHA256") == "UNSIGNED-PAYLOAD" {
		payload = hashHex([]byte("UNSIGNED-PAYLOAD"))
	}
	canonical := tc3Canonical(r, auth.SignedHeaders, payload)
	if want := tc3Sign(s.tencent.SecretKey, timestamp, auth, canonical); subtle.ConstantTimeCompare([]byte(want), []byte(auth.Signature)) != 1 {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: canonical, Expected: want, Got: auth.Signature}
		return &tencentError{
			"AuthFailure.SignatureFailure", failed,
			"expected " + want + ", came " + auth.Signature + "; the canonical request is\n" + canonical,
		}
	}
	return nil
}

func (s *Simulator) tencentRefuse(w http.ResponseWriter, e *tencentError) {
	s.tencentWrite(w, map[string]any{"Error": map[string]string{"Code": e.code, "Message": e.message}})
}

// tencentWrite answers under the one envelope there is.
func (s *Simulator) tencentWrite(w http.ResponseWriter, response map[string]any) {
	response["RequestId"] = s.requestID()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"Response": response})
}
