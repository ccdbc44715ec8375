package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// askSimulators fills what the environment leaves out with the credentials that running simulators publish, so that
// `bin/sim -providers-only` and `bin/shop` need nothing but an address to find each other.
func (e *environment) askSimulators(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(e.SimulatorURL, "/")+"/sim/v1/catalogue", nil)
	if err != nil {
		return fmt.Errorf("MARQUEE_SIMULATOR_URL: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask the simulators at MARQUEE_SIMULATOR_URL: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("ask the simulators at MARQUEE_SIMULATOR_URL: %s", resp.Status)
	}
	var c catalogue
	if err := json.NewDecoder(io.LimitReader(resp.Body, 4<<20)).Decode(&c); err != nil {
		return fmt.Errorf("read what the simulators publish: %w", err)
	}
	for _, f := range []struct {
		field *string
		value string
	}{
		{&e.ChannelNo, c.Shop.ChannelNo}, {&e.ChannelAppKey, c.Shop.AppKey}, {&e.ChannelSecret, c.Shop.Secret},
		{&e.GatewayAppKey, c.Gateway.AppKey}, {&e.GatewaySecret, c.Gateway.Secret},
		{&e.NewMovieEntID, c.NewMovie.EntID}, {&e.NewMovieAppSecret, c.NewMovie.AppSecret},
		{&e.WeChatAppID, c.WeChat.AppID}, {&e.WeChatAppSecret, c.WeChat.AppSecret}, {&e.WeChatMchID, c.WeChat.MchID},
		{&e.WeChatMchSerial, c.WeChat.MchSerial}, {&e.WeChatMchKey, c.WeChat.MchPrivateKeyPEM}, {&e.WeChatAPIv3Key, c.WeChat.APIv3Key},
		{&e.SMSAccessKeyID, c.SMS.AccessKeyID}, {&e.SMSAccessKeySecret, c.SMS.AccessKeySecret},
		{&e.SMSSignName, c.SMS.SignName}, {&e.SMSTemplateCode, c.SMS.TemplateCode},
	} {
		*f.field = cmp.Or(*f.field, f.value)
	}
	return nil
}

// catalogue is the part of the simulators' published values that the shop needs.
type catalogue struct {
	Shop struct {
		ChannelNo string `json:"channel_no"`
		AppKey    string `json:"appkey"`
		Secret    string `json:"secret"`
	} `json:"shop"`
	Gateway struct {
		AppKey string `json:"appkey"`
		Secret string `json:"secret"`
	} `json:"gateway"`
	NewMovie struct {
		EntID     string `json:"entId"`
		AppSecret string `json:"appSecret"`
	} `json:"newmovie"`
	WeChat struct {
		AppID            string `json:"appid"`
		AppSecret        string `json:"appsecret"`
		MchID            string `json:"mchid"`
		MchSerial        string `json:"mch_serial"`
		MchPrivateKeyPEM string `json:"mch_private_key_pem"`
		APIv3Key         string `json:"apiv3_key"`
	} `json:"wechat"`
	SMS struct {
		AccessKeyID     string `json:"access_key_id"`
		AccessKeySecret string `json:"access_key_secret"`
		SignName        string `json:"sign_name"`
		TemplateCode    string `json:"template_code"`
	} `json:"sms"`
}
