package record

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"

	"marquee/simulators/dataset"
)

// ReadCredentials reads the caller's account from a file: JSON in the shape of the control API's `credentials`, of which
// only the recorded provider's part must be there. They stay off the command line, where others could read them.
func ReadCredentials(name, provider string) (dataset.Credentials, error) {
	raw, err := os.ReadFile(name) //nolint:gosec // the file that the user names
	if err != nil {
		return dataset.Credentials{}, fail("bad_credentials", "the credentials cannot be read: %s", err)
	}
	var file struct {
		dataset.Credentials
		Inner *dataset.Credentials `json:"credentials"` // an answer of the control API, as it came
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return dataset.Credentials{}, fail("bad_credentials", "%s is no JSON of credentials", name) // what is wrong might quote them
	}
	keys := file.Credentials
	if file.Inner != nil {
		keys = *file.Inner
	}
	if _, err := providerOf(provider); err != nil {
		return keys, err
	}
	for field, value := range needed(provider, keys) {
		if value == "" {
			return keys, fail("bad_credentials", "%s has no %s", name, field)
		}
	}
	return keys, nil
}

func needed(provider string, k dataset.Credentials) map[string]string {
	switch provider {
	case gateway.name:
		return map[string]string{"gateway.appkey": k.Gateway.AppKey, "gateway.secret": k.Gateway.Secret}
	case newmovie.name:
		return map[string]string{"newmovie.entId": k.NewMovie.EntID, "newmovie.appSecret": k.NewMovie.AppSecret}
	case wechatPay.name:
		return map[string]string{"wechat.mchid": k.WeChat.MchID, "wechat.mch_serial": k.WeChat.MchSerial, "wechat.mch_private_key_pem": k.WeChat.MchPrivateKeyPEM}
	case sms.name:
		return map[string]string{"sms.access_key_id": k.SMS.AccessKeyID, "sms.access_key_secret": k.SMS.AccessKeySecret}
	}
	return map[string]string{"tencent.secret_id": k.Tencent.SecretID, "tencent.secret_key": k.Tencent.SecretKey}
}

// AtSimulators asks simulators for a world's credentials and says where they serve the provider. "" is the default world.
func AtSimulators(ctx context.Context, address, worldID, provider string) (ReplayOptions, error) {
	p, err := providerOf(provider)
	if err != nil {
		return ReplayOptions{}, err
	}
	target, err := parseTarget(address)
	if err != nil {
		return ReplayOptions{}, err
	}
	base := strings.TrimSuffix(plainTarget(target), "/")
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/sim/v1/catalogue?world="+url.QueryEscape(worldID), nil)
	if err != nil {
		return ReplayOptions{}, fail("bad_target", "%s is no address", base)
	}
	answer, raw, failure := receive(newClient(DefaultPatience), r)
	if failure != "" {
		return ReplayOptions{}, fail("target_"+failure, "%s: %s", base, failures[failure])
	}
	var keys dataset.Credentials
	if err := json.Unmarshal(raw, &keys); err != nil || answer.StatusCode != http.StatusOK {
		return ReplayOptions{}, fail("not_simulators", "%s answers no catalogue for world %q (HTTP %d); for a provider give -credentials", base, worldID, answer.StatusCode)
	}
	return ReplayOptions{Target: base + p.mount, Credentials: keys}, nil
}
