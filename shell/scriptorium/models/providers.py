"""Which provider a setting means, and a model of it.

`provider:model` names the provider, of which three kinds are known: Anthropic, OpenAI, and whatever speaks
as OpenAI does (Ollama, llama.cpp, vLLM, and any other by its address).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from attrs import field, frozen

from scriptorium_core.problem import Code, Problem

__all__ = ["PROVIDERS", "Endpoint", "Provider", "endpoint_of", "missing"]


@frozen
class Provider:
    """How a provider is spoken to: the library, its address (empty: the library's own), where its key is.

    `key_env` is the usual name of the variable, empty where no key is needed.
    """

    library: str
    base_url: str = ""
    key_env: str = ""


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "anthropic": Provider("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
        "openai": Provider("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        "ollama": Provider("openai", "http://127.0.0.1:11434/v1"),
        "llamacpp": Provider("openai", "http://127.0.0.1:8080/v1"),
        "vllm": Provider("openai", "http://127.0.0.1:8000/v1"),
    }
)
"""The providers that are known by name; any other is an address that speaks as OpenAI does."""


@frozen
class Endpoint:
    """Where a model is, and what one answer of it may take: `seconds` and tokens.

    The key is shown nowhere: not in a representation, not in a fault.
    """

    provider: str
    model: str
    base_url: str
    key: str = field(default="", repr=False)
    seconds: float = 180.0
    tokens: int = 8_000

    @property
    def library(self) -> str:
        """The library that speaks to it."""
        known = PROVIDERS.get(self.provider)
        return known.library if known is not None else "openai"


def endpoint_of(
    model: str,
    base_url: str,
    key_env: str,
    variable: Callable[[str], str],
    seconds: float = 180.0,
    tokens: int = 8_000,
) -> Endpoint | Problem:
    """Where `provider:model` is, with the key that its variable holds; or what is missing."""
    provider, _, name = model.partition(":")
    known = PROVIDERS.get(provider)
    if not (provider and name):
        return missing(f"{model!r} names no model", 'give one: model = "provider:model"')
    if known is None and not base_url:
        remedy = f"give its base_url, or one of {', '.join(PROVIDERS)}"
        return missing(f"the provider {provider!r} is not known by name, and has no address", remedy)
    address = base_url or (known.base_url if known is not None else "")
    name_of_key = key_env or (known.key_env if known is not None else "")
    key = variable(name_of_key).strip() if name_of_key else ""
    if name_of_key and not key and (key_env or not base_url):
        return missing(
            f"the variable {name_of_key} holds no key", f"export {name_of_key}=… where scriptorium runs"
        )
    if not (key.isascii() and key.isprintable()):
        return missing(f"what the variable {name_of_key} holds is no key", "copy the key again, alone")
    return Endpoint(provider, name, address, key, seconds, tokens)


def missing(message: str, remedy: str) -> Problem:
    """That a model cannot be asked, and what to do."""
    return Problem(Code.WRITER_PRECONDITION_FAILED, message, "api", remedy=remedy)
