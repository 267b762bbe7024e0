"""A MkDocs plugin: rulebooks inside a site. In `mkdocs.yml`:

    plugins:
      - search
      - rulewright:
          specs: [qwixx, rules/mygame.rules]

Each spec is proved, as far as that was not done before, and gets a folder of pages under `games/`.
In `nav`, a folder such as `games/` stands for all pages in it. Hand-written pages may use
directives, and their blocks of rules are read; prose that claims what is not proved stops the
build.

What was made before is kept: a build plays and draws only what has changed since the last one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import partial
from html import unescape
from logging import getLogger
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.base import Config
from mkdocs.config.config_options import Choice, DictOfItems, ListOfItems, Optional, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext

from rulewright.frontend import LoadedSpec, read
from rulewright.hidden_characters import plain
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.resources import find_spec
from rulewright.site.mkdocs.content_security_policy import Policy
from rulewright.site.mkdocs.directives import Directives
from rulewright.site.mkdocs.fences import unreadable, without_notes
from rulewright.site.mkdocs.finishing import finished
from rulewright.site.mkdocs.html_stash import HtmlStash
from rulewright.site.model.book import Book
from rulewright.site.model.evidence_runs import FOLDER, EvidenceBudget, EvidenceRunError, ask
from rulewright.site.model.page_cache import usual_page_cache
from rulewright.site.model.verdicts import VerdictsError, files_in, read_verdicts
from rulewright.site.pages.evidence_page import untested
from rulewright.site.pages.page_list import FRONT, kept_pages, titles, translated_titles
from rulewright.site.pages.rules_page import ABOUT
from rulewright.site.words.markdown import in_navigation
from rulewright.system.atomic_write import short_name
from rulewright.translate.catalogue import languages_of, path_of
from rulewright.translate.wording import called

STYLE = "assets/rulewright.css"
SCRIPT = "assets/rulewright.js"
WIDE = ("trace.md", "glossary.md")
"""Pages that are one table, and need the room beside it."""
BOOSTS = {
    "play": 20, "rules": 4, "turn": 2, "examples": 0.2, "holes": 0.2, "holds": 0.1, "trace": 0.05,
}  # fmt: skip
"""How much what is found on a page counts in the search: who looks for a rule finds it before its
evidence."""
TRANSLATED = 0.5
"""The same of pages in another language than the site: found by words that only they have."""
HEADINGS = {"title": {"boost": 10.0}}
"""How much more what is found in a heading counts. The theme takes a thousand, and finds the
heading of an example before the rule."""
TAG = re.compile(r"<[^>]*>")
LAST = -100
"""After whoever reads the words of a page, such as the search index."""
EXTENSIONS = ("md_in_html", "tables", "pymdownx.superfences", "pymdownx.highlight")

log = getLogger("mkdocs.plugins.rulewright")


class Settings(Config):  # type: ignore[no-untyped-call]
    """What can be set in `mkdocs.yml`."""

    specs = ListOfItems(Type(str), default=[])
    verdicts = Type(str, default=FOLDER)
    prove = Type(bool, default=True)
    timeout = Type((int, float), default=EvidenceBudget().timeout)
    limit = Optional(Type((int, float)))
    engines = DictOfItems(Type(str), default={})
    folder = Type(str, default="games")
    unchecked = ListOfItems(Type(str), default=[])
    untested = ListOfItems(Type(str), default=[])
    policy = Choice(("games", "all", "none"), default="games")


class RulewrightPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """Pages of specs, directives and checked blocks of rules."""

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}
        self._shelf = usual_page_cache()
        self._aside = HtmlStash()
        self._wrong: list[str] = []
        self._policy = Policy(())

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Reads the specs, fills in the navigation, adds what the pages need."""
        home = Path(config.config_file_path or ".").parent
        self._wrong = []
        self._aside = HtmlStash()
        self._books, specs = self._read(home)
        self._policy = Policy(book.version for book in self._books.values())
        config.watch = [*config.watch, *map(str, specs)]
        if config.nav is not None:
            config.nav = [self._filled(item, Path(config.docs_dir)) for item in config.nav]
        config.extra_css = [*config.extra_css, STYLE]
        for extension in EXTENSIONS:
            if extension not in config.markdown_extensions:
                config.markdown_extensions.append(extension)
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Adds the pages of the specs and their style."""
        for each in config.plugins.values():
            fields = each.config.get("fields")
            if isinstance(fields, dict) and fields.get("title") == {"boost": 1e3}:
                fields.update(HEADINGS)  # it is the theme's own search, as it comes
        style = Path(__file__).with_name("style.css").read_text("utf-8")
        files.append(File.generated(config, STYLE, content=style))
        script = Path(__file__).with_name("page.js").read_text("utf-8")
        files.append(File.generated(config, SCRIPT, content=script))
        for name, book in self._books.items():
            about = self._has_about(name, Path(config.docs_dir))
            try:
                made = kept_pages(book, self._shelf, about)
            except (UsageError, EvaluationError) as error:
                message = f"no pages can be made of `{name}`: {error.message}"
                raise PluginError(plain(message)) from error
            for file, text in made.items():
                uri = f"{self._folder(name)}/{file}"
                files.append(File.generated(config, uri, content=text))
        return files

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Checks the blocks of a hand-written page and puts in what it asks for."""
        uri = page.file.src_uri
        if page.file.generated_by is not None:
            if posixpath.basename(uri) in WIDE:
                page.meta["hide"] = ["toc"]
            stem, *language, _ = posixpath.basename(uri).split(".")
            boost = TRANSLATED if language else BOOSTS.get(stem.partition("-")[0], 1)
            page.meta["search"] = {"boost": boost}
            if posixpath.basename(uri) == FRONT or config.nav is None:
                heading = TAG.sub("", markdown.partition("\n")[0].removeprefix("# "))
                page.meta["title"] = in_navigation(unescape(heading))
            return self._aside.take_out(markdown)
        if not any(fnmatch(uri, pattern) for pattern in self.config.unchecked):
            for bad in unreadable(markdown):
                log.warning(plain(f"{uri}: rules that cannot be read: {bad.message}"))
        where = partial(self._address, uri)
        directives = Directives(self._books, where, self._shelf, self._aside.take_out)
        text, wrong = directives.put_in(without_notes(markdown))
        self._wrong += [f"{uri}: {each}" for each in wrong]
        return text

    @event_priority(LAST)
    def on_page_context(
        self, context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> None:
        """Puts pictures and games back."""
        page.content = self._aside.put_back(page.content or "")

    def on_env(self, env: Any, config: MkDocsConfig, files: Files) -> None:
        """Stops the build where a page says what is not so."""
        if self._wrong:
            raise PluginError("\n".join(["what pages say is not so:", *self._wrong]))
        self._policy.watch(env)

    @event_priority(LAST)
    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Finishes a page, and says which scripts a browser may run."""
        output = finished(output, get_relative_url(SCRIPT, page.url))
        made = page.file.generated_by is not None
        if self.config.policy == "all" or (self.config.policy == "games" and made):
            return self._policy.with_policy(output, config)
        return self._policy.unmarked(output)

    @event_priority(LAST)
    def on_post_template(self, output: str, template_name: str, config: MkDocsConfig) -> str:
        """The same of pages that are none of ours, such as the one for what is not found."""
        if template_name.endswith(".html"):
            home = urlsplit(config.site_url or "").path.rstrip("/")
            output = finished(output, f"{home}/{SCRIPT}")
        if self.config.policy == "all" and template_name.endswith(".html"):
            return self._policy.with_policy(output, config)
        return self._policy.unmarked(output)

    def _read(self, home: Path) -> tuple[dict[str, Book], list[Path]]:
        """The specs as books, and the files they are in."""
        folder = home / self.config.verdicts
        limit = self.config.limit
        effort = EvidenceBudget(float(self.config.timeout), None if limit is None else float(limit))
        specs: list[LoadedSpec] = []
        paths = []
        for argument in self.config.specs:
            path = home / argument if (home / argument).is_file() else find_spec(argument)
            checked = read(path)
            errors = [each for each in checked.diagnostics if each.severity == "error"]
            for each in errors:
                log.warning(plain(f"{each.file}:{each.line}: {each.code} {each.message}"))
            if checked.spec is None:
                message = f"the spec `{argument}` cannot be used: {errors[0].message}"
                raise PluginError(plain(message))
            if self.config.prove:
                engine = self.config.engines.get(checked.spec.name)
                try:
                    tested = checked.spec.name not in self.config.untested
                    ask(checked, path, folder, effort, log.info, engine, tested=tested)
                except EvidenceRunError as failed:
                    raise PluginError(plain(str(failed))) from failed
            specs.append(checked)
            paths += [path, *(path_of(str(path), each) for each in languages_of(str(path)))]
        try:
            verdicts = read_verdicts(files_in(folder))
        except VerdictsError as error:
            raise PluginError(plain(str(error))) from error
        books = {spec.spec.name: Book(spec, verdicts) for spec in specs if spec.spec}
        for book in books.values():
            for gap in untested(book):
                log.warning(plain(f"{book.checked.file}: {gap}"))
        return books, paths

    def _filled(self, item: Any, docs: Path) -> Any:
        """The navigation with folders replaced by what is in them."""
        if isinstance(item, dict):
            return {title: self._filled(inside, docs) for title, inside in item.items()}
        if isinstance(item, list):
            filled = [self._filled(each, docs) for each in item]
            return [one for each in filled for one in (each if isinstance(each, list) else [each])]
        if not isinstance(item, str) or not item.endswith("/"):
            return item
        found = sorted(path.relative_to(docs).as_posix() for path in (docs / item).glob("*.md"))
        first = [each for each in found if posixpath.basename(each) == FRONT]
        games = list(self._sections(docs)) if item == f"{self.config.folder}/" else []
        return [*first, *games, *(each for each in found if each not in first)]

    def _has_about(self, name: str, docs: Path) -> bool:
        return (docs / self._folder(name) / ABOUT).is_file()

    def _sections(self, docs: Path) -> Iterator[Any]:
        """The navigation of all specs."""
        for name, book in self._books.items():
            folder = self._folder(name)
            entries: list[Any] = [f"{folder}/{FRONT}"]
            named = titles(book, self._has_about(name, docs))
            entries += [{words: f"{folder}/{file}"} for file, words in named.items()]
            for language in book.languages[1:]:
                told = translated_titles(book, language).items()
                entries.append(
                    {called(language): [{words: f"{folder}/{file}"} for file, words in told]}
                )
            yield {in_navigation(book.spec.title): entries}

    def _folder(self, name: str) -> str:
        """Where the pages of a spec are."""
        return f"{self.config.folder}/{short_name(name)}"

    def _address(self, uri: str, name: str, file: str) -> str:
        """The way from a page to a page of a spec."""
        target = f"{self._folder(name)}/{file}"
        return posixpath.relpath(target, posixpath.dirname(uri) or ".")
