package wechat

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"marquee/simulators/journal"
)

// fieldNames are the names of fields in the vendor's messages, by their last part.
var fieldNames = map[string]string{
	"appid": "公众号ID", "sp_appid": "服务商应用ID", "mchid": "直连商户号", "sp_mchid": "服务商户号", "sub_mchid": "子商户号",
	"description": "商品描述", "out_trade_no": "商户订单号", "attach": "附加数据", "notify_url": "通知地址",
	"goods_tag": "订单优惠标记", "total": "总金额", "currency": "货币类型", "openid": "用户标识", "time_expire": "交易结束时间",
	"payer_client_ip": "用户终端IP", "type": "场景类型", "out_refund_no": "商户退款单号", "reason": "退款原因",
	"refund": "退款金额",
}

// parameter is the invalid field of a rejected call. The texts of the messages, and the values in the details, are as
// in answers that were published; field and issue in the details are documented by the vendor.
type parameter struct {
	location string // body or query
	field    string // its path, "/amount/total"
}

// rejected returns the rejection. kind is the vendor's term for the field, issue describes what is wrong with its
// value.
func (p parameter) rejected(kind, issue string, value any) *journal.Rejection {
	detail := map[string]any{"location": p.location, "field": p.field, "issue": issue}
	if value != nil {
		detail["value"] = value
	}
	return &journal.Rejection{
		Status: http.StatusBadRequest, Code: "PARAM_ERROR", Detail: detail,
		Message: "输入源“/" + p.location + p.field + "”映射到" + kind + "“" + p.name() + "”" + issue,
	}
}

// name is the vendor's name of the field, or the last part of its path if the vendor's name is unknown.
func (p parameter) name() string {
	last := p.field[strings.LastIndex(p.field, "/")+1:]
	if name := fieldNames[last]; name != "" {
		return name
	}
	return last
}

// missing is the rejection of a call without the parameter.
func (p parameter) missing() *journal.Rejection {
	return p.rejected("字段", "必填性规则校验失败，此字段为必填项", nil)
}

// mismatch is the rejection of a text that does not match a pattern.
func (p parameter) mismatch(value string, pattern *regexp.Regexp) *journal.Rejection {
	return p.rejected("值字段", "字符串规则校验失败，字符串必须匹配正则表达式“"+pattern.String()+"”", value)
}

// below is the rejection of a number that is too small.
func (p parameter) below(value, least int64) *journal.Rejection {
	return p.rejected("数值字段", fmt.Sprintf("规则校验失败，值低于最小值 %d", least), value)
}

// checkLength rejects a text whose length in bytes, or in characters, is out of bounds. The value in the rejection is
// the length.
func (p parameter) checkLength(text string, inBytes bool, least, most int) *journal.Rejection {
	n, unit := utf8.RuneCountInString(text), "字符数"
	if inBytes {
		n, unit = len(text), "字节数"
	}
	switch {
	case n < least:
		return p.rejected("值字段", fmt.Sprintf("字符串规则校验失败，%s %d，小于最小值 %d", unit, n, least), n)
	case n > most:
		return p.rejected("值字段", fmt.Sprintf("字符串规则校验失败，%s %d，大于最大值 %d", unit, n, most), n)
	}
	return nil
}

// inBody and inQuery return the parameter at a path.
func inBody(field string) parameter  { return parameter{"body", field} }
func inQuery(field string) parameter { return parameter{"query", field} }

// invalid is the rejection of a parameter for a reason whose text was not found in a published answer.
func (p parameter) invalid(issue string) *journal.Rejection {
	return p.rejected("值字段", "规则校验失败，"+issue, nil)
}

// decode reads a call's JSON body. The rejection contains the field with a wrong type.
func decode(body []byte, into any) *journal.Rejection {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return reject(http.StatusBadRequest, "PARAM_ERROR", "请求体不是合法的JSON")
	}
	p := inBody("/" + strings.ReplaceAll(wrong.Field, ".", "/"))
	issue := "此字段需要一个合法的字符串"
	switch wrong.Type.Kind() {
	case reflect.Int64:
		issue = "此字段需要一个合法的 64 位有符号整数"
	case reflect.Struct:
		issue = "此字段需要一个合法的对象"
	}
	rejection := p.rejected("", issue, valueAt(body, strings.Split(wrong.Field, ".")))
	rejection.Message = "无法将 JSON 输入源“/body" + p.field + "”映射到目标字段“" + p.name() + "”中，" + issue
	return rejection
}

// valueAt returns the value at a path of a JSON object, nil if there is none.
func valueAt(body []byte, path []string) any {
	value := json.RawMessage(body)
	for _, name := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return nil
		}
		value = object[name]
	}
	return value
}
