/** Phrases of bounces written for people, in the languages of mail servers. Data for `bounce-notice.ts`. */

const anyOf = (...phrases: string[]) => new RegExp(phrases.join('|'), 'iu')

/** Senders of bounces: local parts and display names of mail servers. */
export const DAEMON = anyOf(
  '^(?:mailer[-_. ]?daemon|mail[-_. ]?daemon|mdaemon|post[-_ ]?master|poostmaster|mail[-_. ]?deliver(?:y)?(?:[-_. ](?:system|subsystem|service))?|mmdf|smtp[-_]?server|e-?mail[-_]?system|system[-_. ]administrator)(?:$|[@\\\\+"])',
  'mail(?:er)?[- ]?(?:deliver\\w*|daemon|administrator|system)|system administrator|internet mail delivery|delivery (?:sub)?system',
)

export const SUBJECT = anyOf(
  'undeliver(?:able|ed)|non[- ]?deliver(?:y|able)|not (?:be )?delivered|could not be (?:sent|delivered)|cannot be delivered',
  'deliver(?:y|ed)? (?:status )?(?:notification|report|failure|failed|error|problem|has failed|warning|delay|subsystem)|(?:failed|failure) (?:of )?(?:delivery|mail)|fail(?:ure|ed) (?:notice|delivery)',
  'returned (?:mail|e-?mail|to sender)|mail (?:delivery |system )?(?:error|fail|problem|warning|returned)|returning (?:message|mail)? ?to sender|processing error',
  'mail (?:could|can) ?not|message (?:delayed|not|delivery)|delayed (?:mail|delivery)|warning: (?:message|could|.{0,80}user unknown)|error sending your mail|error notification|bounce notification',
  'unzustellbar|nicht zugestellt|zustellung.{0,20}(?:fehl|nicht)|unzustellbarkeit|rückläufer',
  'non remis|échec de (?:la )?(?:remise|distribution)|n.a (?:pas |pu )(?:être|pas)|non recensé|non délivré|notification d.état de remise',
  'no (?:se )?(?:pudo|puede|ha podido) (?:ser )?entrega|no entregado|no se puede entregar|aviso de (?:no )?entrega|devuelto',
  'não (?:foi )?(?:entregue|pode ser)|falha na entrega|non recapitabile|mancato recapito|mancata consegna|onbestelbaar|niet (?:af)?geleverd|kunde inte levereras|kunne ikke leveres|ej levererat',
  'nie dostarczon|niedostarcz|zwrot|не ?доставлен|недоставлен|не может быть доставлен|ошибк\\w* доставки|kézbesíthetetlen|teslim edilemedi|doručen\\w* selhal|nedoručiteln',
  '配信(?:でき|失敗|エラー|不能)|配送(?:でき|失敗|エラー)|送信(?:でき|失敗)|メールエラー|届けられ|退信|投递失败|發送失敗|邮件(?:发送|投递)失败|系统退信|배달|전송 실패|반송',
)

export const TEXT = anyOf(
  '(?:could|can|was|were|have|has) ?(?:not|n.t) (?:yet )?(?:be(?:en)? )?(?:deliver|reach|sent|accepted|received?)|cannot be delivered|unable to deliver|unable to be delivered|undeliverable|not able to deliver|wasn.t able to deliver|did ?n[o.]t (?:reach|receive)|failed to deliver|undelivered|was not delivered',
  'deliver(?:y|ing|ed)? (?:to|of|of the|for) .{0,80}(?:failed|delayed|postponed|aborted|delivery problems|has been)|delivery (?:has )?failed|delivery (?:errors?|problems?|failure|attempt)|encountered delivery|error (?:delivering|processing|has occurred while attempting|was detected while processing)|del[ei]very to the following',
  '(?:permanent|fatal|temporary) (?:fatal )?(?:delivery )?(?:error|failure)|following address(?:es|\\(es\\))?|failed (?:recipients?|address)|invalid (?:final|address|recipient)|returned (?:mail|to sender|because|permanent)|transcript of session|was rejected|no such user|user unknown|unknown user|mailbox (?:is )?(?:full|unavailable)|mailbox not found|trouble delivering|error-for:',
  'did not (?:exactly )?match|may not exist, or you may not have permission|rejected by',
  'konnte nicht (?:zugestellt|ausgeliefert)|nicht zustellbar|n.a (?:pas |pu )(?:être|pas)|n.existe pas|no (?:se )?(?:pudo|ha podido) (?:ser )?entrega|não (?:pode|pôde|foi)|nao pode ser|non (?:è stato|può essere)|niet worden (?:af)?geleverd|kunde inte levereras|не может быть доставлен|не (?:был[оа]?|удалось) достав|nie (?:mog|został)',
  '配信でき|配送でき|送信でき|届きません|届けられ|お届け|エラーのため|送れません|無法(?:投|傳)|无法(?:投递|发送|送达)|不能投递',
)

/** Phrases of notices that delivery will be retried. */
export const DELAY = anyOf(
  'warning message only|(?:has|have) been (?:temporarily )?(?:delayed|postponed|deferred)|not yet been delivered|still being retried|will (?:be retried|continue to|keep)|attempts will continue|will continue to be made|just a warning|delayed \\d+ (?:hours|days)|message delayed|delayed mail|\\(delay\\)|mail delivery (?:delayed|warning)',
  'verzögert|retard[ée]|retrasad|atrasad|ritard|vertraagd|försena|отложен|задерж|遅延',
)

/** Phrases that introduce the returned message. */
export const COPY = anyOf(
  '^[\\s>*|]*(?:below this line is|---+ ?below (?:this|the next) line|below (?:this line|the next line|is a copy)|here is a copy|included is a copy|this is a copy of|a copy of the (?:original )?message|a summary of the undelivered message|your message reads|the first \\d+ lines of|the header of the original message|message headers follow|original message (?:follows|as received|attached)|old message:|bounced e-?mail:|header of the (?:source|original))',
  '^[\\s>|]*[-=_*]{2,}.{0,10}(?:original message|unsent message|message text follows|message header|header of the|the header|non-delivered|returned (?:mail|message)|start of returned|copy of|this is a copy|below|below this|original mail|mensaje original|undelivered message|rejected message|message (?:body|content))',
  '^\\s{0,8}(?:original|returned|unsent|undelivered) (?:message|mail)\\s?:?\\s*$',
)
