"""Words by which mail programs give away what is not the writer's, in the languages of their menus.

One list of alternatives for a regular expression per kind; capitals make no difference.
"""

FROM_LABELS = (
    "from|von|de|da|van|od|från|fra|lähettäjä|feladó|от кого|от|від кого|від|από|kimden|gönderen|saatja|nuo"
    "|odosielateľ|expéditeur|remitente|mittente|afzender|avsändare|avsender|差出人|送信者|发件人|寄件者|寄件人"
    "|보낸 ?사람|보낸이|מאת|من"
)
"""What stands before the sender in the header of a quoted mail."""
LABELS = (
    f"{FROM_LABELS}|sent|to|cc|bcc|subject|date|reply-to|organization|gesendet|an|betreff|datum|antwort an"
    "|envoyé(?: le)?|à|objet|date|répondre à|enviad[oa](?: el| em)?|enviado em|para|asunto|assunto|fecha|data"
    "|inviato|a|oggetto|verzonden|aan|onderwerp|wysłano|do|temat|dw|odesláno|komu|předmět|kopie|odoslané|predmet"
    "|skickat|till|ämne|kopia|sendt|til|emne|dato|kopi|lähetetty|vastaanottaja|aihe|pvm|päiväys|kopio|elküldve"
    "|címzett|tárgy|dátum|másolat|отправлено|дата|кому|тема|копия|надіслано|копія|στάλθηκε|ημερομηνία|προς|θέμα"
    "|κοιν|gönderme tarihi|gönderildi|tarih|kime|konu|bilgi|送信日時|日付|宛先|件名|发送时间|时间|日期|收件人"
    "|主题|抄送|寄件日期|收件者|主旨|副本|보낸 ?날짜|날짜|받는 ?사람|제목|참조|נשלח|תאריך|אל|נושא|עותק"
    "|تاريخ الإرسال|التاريخ|تم الإرسال|إلى|الموضوع|نسخة"
)
"""All that may stand before a colon in the header of a quoted mail."""
WROTE = (
    "wrote|writes|schrieb|geschrieben|a écrit|escribió|ha scritto|scrisse|schreef|geschreven|napisał|pisze|píše|napsal"
    "|napísal|escreveu|skrev|kirjoitti|írta|писал|написа|пише|έγραψε|yazdı|kirjutas|написав|写道|寫道|のメール"
    "|님이 작성|님이 쓴|씀|כתב|كتب"
)
"""The verb of the line that announces a quotation."""
SENT_FROM = (
    "sent (?:from|with|via|using|by)|get outlook|gesendet (?:von|mit|über)|von meinem .{2,30} gesendet"
    "|diese nachricht wurde von meinem|holen sie sich outlook|outlook für|envoyé (?:de|depuis|à partir|avec|via)"
    "|télécharge[rz] outlook|obtenir outlook|enviado (?:desde|do|de|a partir|com|con)|obtener outlook"
    "|obter o outlook|inviato (?:da|dal|con)|scarica outlook|ottieni outlook|verzonden (?:vanaf|met|via|vanuit)"
    "|verstuurd (?:vanaf|met)|outlook voor|wysłan[eoy] (?:z|za)|pobierz|odesl[aá]no (?:z|ze|pomocí)"
    "|skickat (?:från|med)|hämta outlook|sendt (?:fra|med)|hent outlook|lähetetty|hanki outlook|küldve|elküldve"
    "|az .{2,30}-emről küldve|отправлено (?:с|из|со)|надіслано (?:з|із|зі)|στάλθηκε|εστάλη|απεστάλη|发自|從我的"
    "|从我的|寄自|传自|nachricht gesendet|iphoneから|my .{2,20}から|androidから|나의 .{2,20}에서|내 .{2,20}에서"
    "|נשלח מ|أُرسلت من|أرسلت من|تم الإرسال من|مرسل من"
)
"""How a phone ends a mail."""
SENT_FROM_AT_THE_END = "gönderildi|küldve|から送信|에서 보냄|发送|傳送|送信"
"""The same, where the verb comes last."""
CONFIDENTIAL = (
    "confidential|vertraulich|confidentiel|confidencia|riservat|vertrouwelijk|poufn|důvěrn|fortrolig|konfiden"
    "|luottamuks|bizalmas|конфиденц|конфіденц|εμπιστευτικ|gizli|機密|机密|保密|기밀|סודי|سري"
)
MAIL = (
    "mail|message|nachricht|mensaje|messaggio|bericht|wiadomo|zpráv|viest|üzenet|сообщени|повідомлен|μήνυμα|ileti"
    "|メール|邮件|郵件|메일|הודעה|رسالة"
)
AUTOMATIC_SUBJECTS = (
    "automatic reply|auto(?:matic)?[- ]?(?:reply|response|answer)|autoreply|out of (?:the )?office|ooo:"
    "|vacation reply|automatische antwort|automatische abwesenheit|abwesenheitsnotiz|abwesenheit:"
    "|réponse automatique|absence du bureau|absent du bureau|respuesta automática|fuera de la oficina"
    "|risposta automatica|fuori sede|automatisch antwoord|afwezig:|afwezigheid|automatyczna odpowied|autoodpowied"
    "|automatická odpov|resposta automática|ausência|autosvar|automatiskt svar|automatisk svar|frånvaro"
    "|automaattinen vastaus|poissa|automatikus válasz|автоответ|автоматический ответ|автоматична відповідь"
    "|αυτόματη απάντηση|otomatik yanıt|otomatik cevap|自動応答|自動返信|不在|自动回复|自动答复|自動回覆"
    "|자동 ?회신|자동 ?응답|부재|תשובה אוטומטית|מענה אוטומטי|رد تلقائي|الرد التلقائي"
)
"""How the subject of an automatic answer begins."""
BOUNCE_SUBJECTS = (
    "undeliver|delivery (?:status|failure|has failed)|mail delivery|mail system error|failure notice"
    "|returned mail|delivery report|message could not be delivered|unzustellbar|nicht zustellbar|zustellung"
    "|mail konnte nicht|non remis|échec de (?:la )?remise|no se puede entregar|no entregado"
    "|impossibile recapitare|mancato recapito|onbestelbaar|niedostarcz|nedoručiteln|olevererbar|kan ikke leveres"
    "|ei voitu toimittaa|kézbesíthetetlen|не удалось доставить|недоставлен|配信不能|配信エラー|退信|无法投递"
    "|배달되지|rejected"
)
"""How the subject of a bounce begins."""
