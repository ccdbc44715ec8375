import { QRCodeSVG } from 'qrcode.react';
import { Component, type ReactNode } from 'react';

/** A text as a QR code. It is dark on white in dark mode as well, because scanners need that contrast. */
export function QrCode({ value, label, size = 176 }: { value: string; label: string; size?: number }) {
  return (
    <CodeFrame>
      <QRCodeSVG
        value={value}
        size={size}
        level="M"
        marginSize={2}
        bgColor="#ffffff"
        fgColor="#17171c"
        role="img"
        title={label}
      />
    </CodeFrame>
  );
}

/** An error boundary for a code that cannot be drawn, such as a text that is too long. */
export class CodeFrame extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <p role="alert">二维码加载失败</p> : this.props.children;
  }
}
