// Command unchanged pays and sends a text message with the vendors' own SDKs. Their addresses are those that the SDKs
// contain, https://api.mch.weixin.qq.com and https://sms.tencentcloudapi.com. The program does not depend on the
// simulators. Two environment variables redirect its calls to them:
//
//	HTTPS_PROXY=http://127.0.0.1:9090 SSL_CERT_FILE=ca.pem
//
// The credentials are the environment variables of a world, as GET /sim/v1/catalogue lists them.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	sms "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"
)

func main() {
	ctx := context.Background()
	if err := pay(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "pay:", err)
		os.Exit(1)
	}
	if err := send(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "send:", err)
		os.Exit(1)
	}
}

// pay creates an order and prints its prepay_id.
func pay(ctx context.Context) error {
	key, err := utils.LoadPrivateKey(os.Getenv("MARQUEE_WECHAT_MCH_PRIVATE_KEY"))
	if err != nil {
		return err
	}
	mchID, appID := os.Getenv("MARQUEE_WECHAT_MCH_ID"), os.Getenv("MARQUEE_WECHAT_APP_ID")
	client, err := core.NewClient(ctx, option.WithWechatPayAutoAuthCipher(
		mchID, os.Getenv("MARQUEE_WECHAT_MCH_SERIAL"), key, os.Getenv("MARQUEE_WECHAT_APIV3_KEY")))
	if err != nil {
		return err
	}
	service := jsapi.JsapiApiService{Client: client}
	prepaid, _, err := service.Prepay(ctx, jsapi.PrepayRequest{
		Appid: &appID, Mchid: &mchID, Description: core.String("电影票"), OutTradeNo: core.String("UNCHANGED1"),
		NotifyUrl: core.String("https://shop.example/notify"), Amount: &jsapi.Amount{Total: core.Int64(100)},
		Payer: &jsapi.Payer{Openid: core.String("oMarqueeDemo_bound_0001")},
	})
	if err != nil {
		return err
	}
	fmt.Println("prepay_id", *prepaid.PrepayId)
	return nil
}

// send sends a code to a phone and prints the answer's status.
func send(ctx context.Context) error {
	credential := common.NewCredential(os.Getenv("TENCENTCLOUD_SECRET_ID"), os.Getenv("TENCENTCLOUD_SECRET_KEY"))
	client, err := sms.NewClient(credential, "ap-guangzhou", profile.NewClientProfile())
	if err != nil {
		return err
	}
	request := sms.NewSendSmsRequest()
	request.PhoneNumberSet = common.StringPtrs([]string{"+8613900000001"})
	request.SmsSdkAppId = common.StringPtr(os.Getenv("TENCENT_SMS_APP_ID"))
	request.SignName = common.StringPtr(os.Getenv("TENCENT_SMS_SIGN_NAME"))
	request.TemplateId = common.StringPtr(os.Getenv("TENCENT_SMS_TEMPLATE_ID"))
	request.TemplateParamSet = common.StringPtrs([]string{"482913"})
	answer, err := client.SendSmsWithContext(ctx, request)
	if err != nil {
		return err
	}
	fmt.Println("status", *answer.Response.SendStatusSet[0].Code)
	return nil
}
