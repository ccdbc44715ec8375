// Command gencities writes the table of cities that package dataset embeds. It reads the division list of
// @vant/area-data as JSON from standard input and city centers from coordinates.txt in the same folder:
//
//	node --input-type=module -e "import {areaList} from '@vant/area-data'; console.log(JSON.stringify(areaList))" |
//	  go run ./simulators/dataset/gencities > simulators/dataset/cities.tsv
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/mozillazg/go-pinyin"
)

//go:embed coordinates.txt
var coordinates string

// readings are the Pinyin of cities for which go-pinyin is wrong: it takes the first reading of each character.
var readings = map[string]string{
	"重庆": "chongqing", "长沙": "changsha", "长春": "changchun", "长治": "changzhi", "厦门": "xiamen", "六安": "luan",
	"亳州": "bozhou",
	"蚌埠": "bengbu", "朝阳": "chaoyang", "佛山": "foshan", "成都": "chengdu", "昌都": "changdu", "喀什": "kashi",
	"锡林郭勒": "xilinguole",
	"阿坝":   "aba", "阿里": "ali", "阿拉善": "alashan", "阿克苏": "akesu", "阿勒泰": "aletai", "那曲": "naqu", "百色": "baise",
	"伊犁": "yili",
	"乐山": "leshan", "石嘴山": "shizuishan", "巴音郭楞": "bayinguoleng", "克孜勒苏": "kezilesu", "宿州": "suzhou", "宿迁": "suqian",
}

// ethnic are the names of peoples in the names of autonomous prefectures. They are left out of the short name.
var ethnic = []string{
	"土家族", "苗族", "藏族", "羌族", "彝族", "布依族", "侗族", "哈尼族", "壮族", "傣族", "白族", "景颇族", "傈僳族", "回族",
	"蒙古族", "蒙古", "朝鲜族", "哈萨克", "柯尔克孜",
}

// tiers maps cities to their tier, on which the number of their cinemas depends: 1 is the biggest. Cities that are not
// in the map are of tier 4.
var tiers = tiersOfCities()

func tiersOfCities() map[string]int {
	tiers := map[string]int{}
	for tier, names := range map[int]string{
		1: "北京 上海 广州 深圳",
		2: "成都 杭州 重庆 武汉 西安 苏州 天津 南京 长沙 郑州 东莞 青岛 沈阳 宁波 昆明 " +
			"佛山 合肥 大连 福州 厦门 无锡 济南 哈尔滨 长春 香港 台北",
		3: "温州 南宁 贵阳 南昌 石家庄 太原 常州 泉州 南通 徐州 嘉兴 金华 绍兴 台州 " +
			"珠海 惠州 中山 烟台 潍坊 临沂 保定 兰州 海口 乌鲁木齐 呼和浩特 银川 西宁 " +
			"洛阳 扬州 镇江 盐城 廊坊 唐山 芜湖 汕头 泰州 湖州 江门 三亚 桂林 柳州 宜昌 " +
			"襄阳 绵阳 拉萨 高雄 台中 新北 澳门",
	} {
		for _, name := range strings.Fields(names) {
			tiers[name] = tier
		}
	}
	return tiers
}

// hot are the cities that the list of cities offers first.
var hot = "北京 上海 广州 深圳 杭州 成都 武汉 南京 重庆 西安 苏州 天津"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gencities:", err)
		os.Exit(1)
	}
}

func run() error {
	var areas struct {
		Cities   map[string]string `json:"city_list"`
		Counties map[string]string `json:"county_list"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&areas); err != nil {
		return fmt.Errorf("read the division list: %w", err)
	}
	places := map[string]string{}
	for line := range strings.Lines(coordinates) {
		if f := strings.Fields(line); len(f) == 3 && f[0] != "#" {
			places[f[0]] = f[1] + "\t" + f[2]
		}
	}
	districts := map[string][]string{}
	for code, name := range areas.Counties {
		city := cityOf(code)
		if name != "市辖区" && name != "其它区" {
			districts[city] = append(districts[city], code+":"+name)
		}
	}
	names := map[string]string{"810000": "香港特别行政区", "820000": "澳门特别行政区"}
	for code, name := range areas.Cities {
		if code[2:4] == "90" && code[:2] != "71" || code == "500200" || code[:2] == "81" || code[:2] == "82" ||
			code[:2] == "71" && !strings.HasSuffix(name, "市") {
			continue
		}
		names[code] = name
	}
	codes := make([]string, 0, len(names))
	for code := range names {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	out := bufio.NewWriter(os.Stdout)
	for _, code := range codes {
		name := names[code]
		short := shorten(name)
		place, ok := places[short]
		if !ok {
			return fmt.Errorf("no coordinates for %s (%s)", name, short)
		}
		tier := tiers[short]
		if tier == 0 {
			tier = 4
		}
		sort.Strings(districts[code])
		isHot := 0
		if strings.Contains(hot, short) {
			isHot = 1
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", code, name, read(short), place, tier, isHot,
			strings.Join(districts[code], ","))
	}
	return out.Flush()
}

// cityOf is the city a county belongs to. The two special administrative regions are one city each.
func cityOf(code string) string {
	switch code[:2] {
	case "81", "82":
		return code[:2] + "0000"
	case "50":
		return "500100"
	}
	return code[:4] + "00"
}

func shorten(name string) string {
	for _, suffix := range []string{"特别行政区", "自治州", "地区", "市", "盟"} {
		name = strings.TrimSuffix(name, suffix)
	}
	for again := true; again; {
		again = false
		for _, people := range ethnic {
			if short, ok := strings.CutSuffix(name, people); ok {
				name, again = short, true
			}
		}
	}
	return name
}

func read(short string) string {
	if reading, ok := readings[short]; ok {
		return reading
	}
	return strings.Join(pinyin.LazyConvert(short, nil), "")
}
