package wechat

// OtherKeyPEM is a key whose certificate the platform never publishes.
func OtherKeyPEM() string { return otherKeyPEM }
