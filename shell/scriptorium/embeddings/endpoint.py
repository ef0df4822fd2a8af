"""A model behind an address that speaks as OpenAI does."""

from collections.abc import Sequence

from attrs import define, field

from scriptorium_core.problem import Code, Problem

from ..models.providers import Endpoint as Address
from ..refused import Refused
from .embedder import Vector

__all__ = ["Endpoint"]

_SECONDS = 30.0


@define
class Endpoint:
    """A model of a provider: texts leave this computer, to the address that the settings give."""

    name: str
    address: Address
    least: float
    _dimensions: int = field(default=0, init=False)

    @property
    def digest(self) -> str:
        """Name and address: what a provider changes behind them cannot be seen."""
        return f"{self.name} {self.address.base_url}"

    @property
    def dimensions(self) -> int:
        """Numbers in a vector; asks once."""
        if not self._dimensions:
            self._dimensions = len(self.embed(["dimensions"])[0])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A vector for each text. Raises Refused where it cannot be asked or gives no vectors."""
        if not texts:
            return ()
        import openai

        try:
            with openai.OpenAI(
                api_key=self.address.key or "none", base_url=self.address.base_url or None, timeout=_SECONDS
            ) as client:
                answer = client.embeddings.create(
                    model=self.address.model, input=list(texts), encoding_format="float"
                )
        except openai.OpenAIError as error:
            raise Refused(_unanswered(self.name, type(error).__name__)) from error
        vectors = [each.embedding for each in sorted(answer.data, key=lambda each: each.index)]
        if len(vectors) != len(texts):
            raise Refused(_unanswered(self.name, f"{len(vectors)} vectors for {len(texts)} texts"))
        return vectors


def _unanswered(name: str, what: str) -> Problem:
    message = f"the model {name} gave no vectors: {what}"
    remedy = "see that its address, its name and its key are right; words are found without it"
    return Problem(Code.EMBEDDING_UNAVAILABLE, message, "embeddings", remedy=remedy)
