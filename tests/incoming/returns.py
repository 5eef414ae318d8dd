"""Reports of mail servers about a mail of ours, in the forms that they are known for; the words are ours."""

_HEAD = (
    "Return-Path: <>\nFrom: {sender}\nTo: {to}\nSubject: {subject}\nMessage-ID: <report{number}@mx.example>\n"
    "Date: Mon, 2 Mar 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
)
_PARTS = (
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\n\n--r\n'
    "Content-Type: text/plain; charset=us-ascii\n\n{words}\n--r\nContent-Type: message/delivery-status\n\n"
    "{status}\n--r\nContent-Type: message/rfc822\n\n{ours}\n--r--\n"
)
OURS = (
    "From: Fieldpost <fieldpost@localhost>\nTo: rommel@mail.example\nSubject: your orders\nMessage-ID: {message_id}\n\n"
    "BEGIN ORDERS\nREADY\nEND ORDERS\n"
)
POSTFIX_WORDS = "This is the mail system at host mx.example.\n\n<rommel@mail.example>: unknown user"
POSTFIX = (
    "Reporting-MTA: dns; mx.example\nX-Postfix-Queue-ID: 4F1\n\nFinal-Recipient: rfc822; rommel@mail.example\n"
    "Original-Recipient: rfc822;rommel@mail.example\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mail.example\n"
    "Diagnostic-Code: smtp; 550 5.1.1 <rommel@mail.example>: unknown\n"
)
EXCHANGE = (
    "Reporting-MTA: dns;EX01.corp.example\nReceived-From-MTA: dns;mx.example\n\n"
    "Final-Recipient: rfc822;rommel@mail.example\nAction: failed\nStatus: 5.2.2\n"
    "Diagnostic-Code: smtp;552 5.2.2 mailbox full\nX-Display-Name: Rommel\n"
)
GMAIL = (
    "Reporting-MTA: dns; googlemail.com\nArrival-Date: Mon, 02 Mar 2026 01:59:00 -0800\n"
    "X-Original-Message-ID: {message_id}\n\n"
    "Final-Recipient: rfc822; rommel@mail.example\nAction: failed\nStatus: 5.0.0\nRemote-MTA: dns; mail.example\n"
    "Diagnostic-Code: smtp; 550-5.1.1 The account does not exist. q5-20020a05600c 1.2.3\n"
)
NEW_EXIM = (
    "Reporting-MTA: dns; mx.example\n\nAction: failed\nFinal-Recipient: rfc822;rommel@mail.example\nStatus: 5.0.0\n"
    "Remote-MTA: dns; mail.example\nDiagnostic-Code: smtp; 550 No such person at this address\n"
)
PASSED_ON = (
    "Reporting-MTA: dns; mail.example\n\nFinal-Recipient: rfc822; <Desert.Fox@other.example>\n"
    "Original-Recipient: rfc822;rommel@mail.example\nAction: failed\nStatus: 5.2.2\nRemote-MTA: dns; other.example\n"
    "Diagnostic-Code: smtp; 552 5.2.2 mailbox full\n"
)
EXPIRED = (
    "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; rommel@mail.example\nAction: failed\nStatus: 4.4.7\n"
    "Diagnostic-Code: X-Postfix; delivery timed out\n"
)
LATE = (
    "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; rommel@mail.example\nAction: delayed\nStatus: 4.4.1\n"
    "Will-Retry-Until: Sat, 7 Mar 2026 10:00:00 +0000\n"
)
ARRIVED = (
    "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; rommel@mail.example\nAction: relayed\nStatus: 2.1.5\n"
)
EXIM_TEXT = (
    "\nThis message was created automatically by mail delivery software.\n\nA message that you sent could not be"
    " delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n"
    "  rommel@mail.example\n    SMTP error from remote mail server after RCPT TO:<rommel@mail.example>:\n"
    "    host mail.example [192.0.2.5]: 550 5.1.1 no such user\n\n------ This is a copy of the message, including all"
    " the headers. ------\n\n{ours}"
)
PASSED_ON_TEXT = EXIM_TEXT.replace(
    "  rommel@mail.example\n", "  desert.fox@other.example\n    (generated from rommel@mail.example)\n"
).replace("RCPT TO:<rommel@mail.example>", "RCPT TO:<desert.fox@other.example>")
QMAIL_TEXT = (
    "\nHi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the"
    " following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n"
    "<rommel@mail.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
    "--- Below this line is a copy of the message.\n\n"
    "Return-Path: <{to}>\n{ours}"
)
FORMS = {
    "Postfix": ("Mail Delivery System <MAILER-DAEMON@mx.example>", "Undelivered Mail Returned to Sender", POSTFIX),
    "Exchange": ("postmaster@corp.example", "Undeliverable: your orders", EXCHANGE),
    "Gmail": (
        "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        "Delivery Status Notification (Failure)",
        GMAIL,
    ),
    "Exim": ("Mail Delivery System <Mailer-Daemon@mx.example>", "Mail delivery failed", NEW_EXIM),
    "Exim, as text": ("Mail Delivery System <Mailer-Daemon@mx.example>", "Mail delivery failed", EXIM_TEXT),
    "qmail": ("MAILER-DAEMON@mx.example", "failure notice", QMAIL_TEXT),
    "expired": ("MAILER-DAEMON@mx.example", "Undelivered Mail Returned to Sender", EXPIRED),
    "passed on": ("MAILER-DAEMON@mail.example", "Undelivered Mail Returned to Sender", PASSED_ON),
    "passed on, as text": ("Mailer-Daemon@mail.example", "Mail delivery failed", PASSED_ON_TEXT),
    "late": ("MAILER-DAEMON@mx.example", "Delayed Mail (still being retried)", LATE),
    "arrived": ("MAILER-DAEMON@mx.example", "Successful Mail Delivery Report", ARRIVED),
}


def report(form: str, to: str, *, message_id: str = "<1@example.org>", number: int = 1) -> bytes:
    """A server's report about a mail of ours, sent to this address."""
    sender, subject, body = FORMS[form]
    ours = OURS.format(message_id=message_id)
    head = _HEAD.format(sender=sender, to=to, subject=subject, number=number)
    if "Reporting-MTA" in body:
        status = body.format(message_id=message_id)
        whole = head + _PARTS.format(words=POSTFIX_WORDS, status=status, ours=ours)
    else:
        whole = head + body.format(to=to, ours=ours)
    return whole.replace("\n", "\r\n").encode()
