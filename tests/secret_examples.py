"""Invented secrets in words around them: what must never be found again, and what stands there instead."""

from pathlib import Path

from attrs import frozen

from scriptorium.service import Service
from scriptorium.settings import Settings
from trips import a_talk, at_noon

__all__ = ["EXAMPLES", "HARMLESS", "PEM", "STRIPE", "TOKEN", "Example", "a_home"]


@frozen
class Example:
    """A text, the part of it that is secret, and the text as it may be archived."""

    text: str
    value: str
    redacted: str


def _hidden(before: str, value: str, kind: str, after: str = "") -> Example:
    return Example(f"{before}{value}{after}", value, f"{before}[secret:{kind}]{after}")


_LINES = "MIIEowIBAAKCAQEAx3vCk0m9pQ7u9bVtqQ1h9q2Zb7sQwErTyUiOpAsDfGhJkLzX\nq1h9q2Zb7sQwErTyUiOpAsDfGhJk"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{_LINES}\n-----END RSA PRIVATE KEY-----"
_SSH = PEM.replace("RSA", "OPENSSH").replace("MIIE", "b3Bl")
_JWT = ".".join(
    (
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
        "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    )
)
_MIXED = "Qw3rTy7uIoPaSdFgHjKlZxCvBnM1"

EXAMPLES = (
    _hidden("export PAY_KEY=", "sk_live_EXAMPLE0123456789abcdef", "stripe-key"),
    _hidden("here it is:\n", PEM, "private-key", "\nkeep it safe"),
    _hidden("> ", PEM.replace("\n", "\n> "), "private-key", "\n> keep it"),
    _hidden('{"private_key": "', PEM.replace("\n", "\\n") + "\\n", "private-key", '", "id": 3}'),
    _hidden("ssh ", _SSH, "private-key"),
    _hidden("cut off: ", PEM.partition("\n-----END")[0], "private-key", "\nand so on, he said"),
    _hidden("scheme://user:", "pw", "password-in-url", "@host"),
    _hidden("postgres://admin:", "hunter2", "password-in-url", "@db.example.com:5432/app?ssl=1"),
    _hidden("amqp://u:", "p@ss!w0rd$", "password-in-url", "@host/vhost"),
    _hidden("git clone https://oauth2:", f"ghp_{_MIXED}12345678", "github-token", "@example.com/x.git"),
    _hidden("the id is ", "AKIAIOSFODNN7EXAMPLE", "aws-key", ", he says"),
    _hidden("AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws-key"),
    _hidden('aws_secret_access_key = "', "wJalrXUtnFEMIxK7MDENGxbPxRfiCYzq3XxMPLEy", "aws-key", '"'),
    _hidden("AccountName=x;AccountKey=", f"{_MIXED * 3}ab==", "azure-key", ";x"),
    _hidden("token ", f"ghp_{_MIXED}12345678", "github-token"),
    _hidden("use ", f"github_pat_11ABCDEFG0{_MIXED}_{_MIXED}", "github-token", "."),
    _hidden("use ", "glpat-AbCdEfGhIjKlMnOpQrSt", "gitlab-token"),
    _hidden("bot ", "xoxb-123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx", "slack-token"),
    _hidden("use ", f"sk-proj-{_MIXED}T3BlbkFJ{_MIXED}", "openai-key"),
    _hidden("use ", f"sk-{_MIXED}{_MIXED[:20]}", "openai-key"),
    _hidden("ANTHROPIC_API_KEY=", f"sk-ant-api03-{_MIXED}_{_MIXED}-abcdefAA", "anthropic-key"),
    _hidden("maps: ", f"AIza{_MIXED}abcdefg", "google-key"),
    _hidden("npm ", f"npm_{_MIXED}12345678", "token"),
    _hidden("hub ", f"hf_{_MIXED}abcdef", "token"),
    _hidden("mail ", "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", "token"),
    _hidden("list ", "0123456789abcdef0123456789abcdef-us12", "token"),
    _hidden("upload with ", f"pypi-AgEIcHlwaS5vcmc{_MIXED * 3}", "token"),
    _hidden("pay ", f"sq0csp-{_MIXED}_{_MIXED[:14]}", "token", " now"),
    _hidden("bot ", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "token"),
    _hidden("session ", _JWT, "jwt", " ends at noon"),
    _hidden("curl -H 'Authorization: Bearer ", "8f3b2c1d9e7a4f6b8c0d1e2f3a4b5c6d", "token", "' x"),
    _hidden("Authorization: Basic ", "dXNlcjpodW50ZXIy", "token"),
    _hidden("curl -u ann:", "hunter2", "password", " https://example.com"),
    _hidden("deploy --password ", "tr0ub4dor", "password", " --now"),
    _hidden('password = "', "Tr0ub4dor & 3", "password", '"'),
    _hidden('{"user": "ann", "password": "', "correct horse", "password", '"}'),
    _hidden("DB_PASSWORD=", "correct-horse-battery", "password"),
    _hidden("the wifi password: ", "Sommer2026!", "password"),
    _hidden("密码：", "Xiao2026!", "password", "，别忘了"),
    _hidden("client_secret: ", "8f3b2c1d9e7a4f6b8c0d", "key"),
    _hidden('apiKey: "', _MIXED, "key", '",'),
)

HARMLESS = (
    "No API key in the build at all.",
    "550e8400-e29b-41d4-a716-446655440000",
    "fixed in 3e1b1564a2f0c9d8e7b6a5f4c3d2e1f0a9b8c7d6 on main",
    "key: 3e1b1564a2f0c9d8e7b6a5f4c3d2e1f0a9b8c7d6",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "the password is on the fridge",
    "my password hint: dog",
    "Password: ask Ann, she knows",
    "the secret: never give up on people",
    "a token of love = a rose",
    "max_tokens=16000 and batch_tokens: 16000",
    "PASSWORD_MIN_LENGTH=12",
    "password = os.environ['DB_PASSWORD']",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "connect(user=user, password=password, token=settings.token)",
    "api_key=YOUR_API_KEY_HERE",
    'API_KEY="<your-api-key-goes-here-1234>"',
    "see https://example.com/a:b@c and https://host:8080/x@2x.png",
    "ask me at ann@example.com: I answer",
    "Bearer of bad news arrives at noon tomorrow",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "the line BEGIN RSA PRIVATE KEY opens such a file",
    "![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9)",
    "我的密码写在冰箱上的纸条里，密钥在抽屉。",
    "pip install scikit-learn sk-learn-contrib task-force-one-two-three-four",
    "chr1:AAGTCCGATAACGTAGCTAGCTAGGATCGATCGAT",
    "monkey = banana1234567890abcdef",
    "[secret:aws-key]",
    "",
)


TOKEN = "ghp_ab123cDEfGhiz1UabC1cDfGhIj4KlM1NO1P1"
STRIPE = "sk_live_EXAMPLE0123456789abcdef"


def a_home(folder: Path, *texts: str, settings: Settings | None = None) -> Service:
    """A home whose conversation, a message a text, is in memory."""
    made = Service(folder / "home", settings=settings or Settings(), moment=at_noon)
    lines = [
        {"id": f"m{number}", "role": "user", "text": text, "at": f"2026-03-01T10:{number:02d}:00Z"}
        for number, text in enumerate(texts)
    ]
    made.import_paths([a_talk(folder, *lines)])
    made.write(force=True)
    return made
