/** Pieces that mail is made of; fuzzers put them together in any order. */

// prettier-ignore
export const MIME_WORDS = [
  '\r\n', '\n', '\r', '\r\n\r\n', '\r\n ', '\r\n\t', ' ', '\t', '--', '--b', '--b--', '--c', '--c--', '\r\n--b\r\n', '\r\n--b--\r\n',
  'Content-Type: ', 'multipart/mixed; boundary=b', 'multipart/alternative; boundary="c"', 'multipart/report; report-type=delivery-status; boundary=b',
  'multipart/related; boundary=b', 'message/rfc822', 'message/delivery-status', 'text/html', 'text/plain; format=flowed; delsp=yes; charset=',
  'text/calendar; method=REQUEST', 'application/octet-stream; name=', 'multipart/signed; boundary=b', 'application/pkcs7-mime',
  'Content-Transfer-Encoding: ', 'base64', 'quoted-printable', '7bit', '8bit', 'x-uuencode', 'begin 644 a\r\n', 'end\r\n', '=ybegin line=128 ',
  'Content-Disposition: attachment; filename="', 'Content-Disposition: inline', "filename*0*=utf-8''%", 'filename*1=', 'Content-ID: <a@b>',
  '=?utf-8?B?', '=?utf-8?Q?', '=?iso-2022-jp?Q?', '=?x?', '?=', '=', '=3D', '=\r\n', '%00', '%2F', '../',
  'From: ', 'To: ', 'Cc: ', 'Sender: ', 'Reply-To: ', 'References: ', 'In-Reply-To: ', 'Message-ID: ', 'Subject: ', 'Date: ', 'Received: ',
  'Authentication-Results: mx.test; spf=pass', 'Auto-Submitted: auto-replied', 'List-Id: ', 'Precedence: bulk', 'DKIM-Signature: v=1;',
  '<', '>', '@', ',', ';', ':', '"', '\\', '(', ')', 'a@b.example', 'Thu, 1 Jan 2026 10:00:00 +0000',
  '<a href="http://a.example/">', '</a>', '<!--', '-->', '<style>', '</style>', '<script', '<table><tr><td>', '<blockquote>', '</', '&#x', '&nbsp;',
  'utf-7', 'gb18030', 'utf-16', 'iso-2022-jp', 'x-user-defined', 'utf-8', '+AGE-', '\x1b$B', '\x1b(B', '\0', '\ufeff', '\u202e', '\u00e9', '\ud83d\ude00',
  '> ', 'On 1 Jan 2026 x@y wrote:', '-- \r\n', 'code: 123456', 'Sent from my', '__proto__: ', 'constructor: ',
]

// prettier-ignore
export const ADDRESS_WORDS = [
  '@', '@@', '.', '..', ',', ';', ':', '<', '>', '<>', '"', '\\"', '\\', '(', ')', '(a(b)c)', '[', ']', '[127.0.0.1]', '[IPv6:::1]', ' ', '\t',
  '\r\n ', '\r\n', '\n', '\0', '\x7f', '\u0085', '\u2028', '\u202e', '\u200b', '\ufeff', 'a@b.example', 'Ada <a@b.example>', '"A, B" <a@b.example>',
  'group: a@b.example, c@d.example;', 'undisclosed-recipients:;', '<@a.example,@b.example:c@d.example>', '=?utf-8?Q?=22?=', '=?utf-8?B?DQo=?=',
  'a%b@c.example', '"a b"@c.example', '"a\\"b"@c.example', 'b\u00fccher.example', 'xn--bcher-kva.example', 'xn--', '\u3002', '\uff20', '\u00ad', '1.2.3.4',
  'a'.repeat(64), 'a'.repeat(65), `${'a.'.repeat(126)}a`, '%0a', '0x7f.1', 'localhost', '\ud800', '\ud83d\ude00', '<id@x>', '<a b@x>',
]

// prettier-ignore
export const TEXT_WORDS = [
  '\n', '\r\n', '\n\n', ' ', '  ', '\t', '\u00a0', '\u200b', '\u00ad', '\u202e', '> ', '>> ', '>', '| ', '-- ', '--', '-----', '_____', '=====', '*', '***',
  'On Mon, 1 Jan 2026 at 10:00, Ada <a@b.example> wrote:', 'Am 1. Januar 2026 schrieb Ada:', 'Le 1 janvier 2026, Ada a \u00e9crit :', 'On ', ' wrote:', ' at ',
  'From: Ada', 'Sent: Monday', 'To: B', 'Subject: x', 'Von: ', 'Gesendet: ', '-----Original Message-----', '---------- Forwarded message ---------',
  'Sent from my iPhone', 'Get Outlook for iOS', 'Regards,', 'a@b.example', '<a@b.example>', '2026', '10:00', '1', '12', '123 456', '123456', 'ABCD-1234', 'A1B2C3',
  'code', 'Code: ', 'verification code', 'is', 'your code is ', 'Einmalcode', 'c\u00f3digo', '\u9a8c\u8bc1\u7801', '\u8a8d\u8a3c\u30b3\u30fc\u30c9', 'PIN', 'OTP', 'password', ':', '.', '#', '\u20ac', 'EUR', 'minutes',
  'http://', 'https://', 'https://a.example/', 'https://a:b@c.example/?x=1&y=2#z', 'www.', '//', 'mailto:', '%', '@', '(', ')', '[', ']', '{', '}', '"', "'",
  '<a href="', '<a href=https://a.example>', '</a>', '<a ', '<', '>', '<!--', '-->', '<!', '<![CDATA[', ']]>', '<style>', '</style>', '<script>', '</script', '<br>',
  '<table>', '<tr>', '<td>', '</td>', '<div>', '</div>', '<blockquote>', '</blockquote>', '<ul><li>', '<p', '<img src="data:', '&amp;', '&#', '&#x1F600;', '&nbsp;',
  'Re: ', 'Fwd: ', 'AW: ', 'Re[2]: ', '[list] ', '(fwd)', '[Fwd: ', 'RE:', 'SV: ', 'a', 'a'.repeat(100), '\u00e9', '\u0130', '\u00df', '\ud83d\ude00', '\ud800',
]
