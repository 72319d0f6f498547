"""Statements in Chinese: a few, so that a Chinese conversation leaves something."""

# ruff: noqa: RUF001 (Chinese punctuation)

from __future__ import annotations

import re

from infra.local.offline_model.body import FOLLOW_UPS, IDENTITY, SKILLS
from infra.local.offline_model.rules.table import Rule, Table
from infra.local.offline_model.slots import EMPLOYER, NAME, ORIGIN, PLACE, READING

_REMARK = re.compile(r"，(?:但|不过|因为|所以|这|那|它|觉得|感觉|让|有些|最近|很高兴|也请|请).*")
_MARKS = " ,.。，！!；;～~"


def tidy(value: str) -> str:
    """Without remarks, without marks at its ends, without the possessive of the first person."""
    return _REMARK.sub("", value).strip(_MARKS).replace("我的", "").removesuffix("了").removesuffix("呢")


CHINESE = Table(
    tidy=tidy,
    alone={
        "name": "名叫{name}。",
        "employer": "在{employer}工作。",
        "place": "住在{place}。",
        "origin": "来自{origin}。",
        "reading": "正在读{reading}。",
    },
    rules=(
        Rule(r"(?:我叫|我的名字(?:是|叫))(?P<name>[\w·]{1,12})(?:，.*)?", IDENTITY, "", (NAME,)),
        Rule(r"我(?:现在|目前)?(?:住在|搬到(?:了)?)(?P<place>[^，]{1,20})(?:，.*)?", IDENTITY, "", (PLACE,)),
        Rule(r"我(?:是从|来自)(?P<origin>[^，]{1,20}?)(?:来的)?(?:，.*)?", IDENTITY, "", (ORIGIN,)),
        Rule(r"我(?:现在|目前)?在(?P<employer>.{1,20}?)(?:工作|上班)(?:，.*)?", IDENTITY, "", (EMPLOYER,)),
        Rule(
            r"我(?:最近|现在)?(?:正)?在?(?:看|读)(?:了)?(?:一本)?(?P<reading>(?:书)?《.{1,30}》)",
            IDENTITY,
            "",
            (READING,),
        ),
        Rule(
            r"我(?:也|很|非常|特别|一直)*不(?:太)?喜欢(?P<about>.{1,40})", IDENTITY, "不喜欢{about}。", family="taste"
        ),
        Rule(
            r"我(?:也|很|非常|特别|一直|最)*(?:喜欢|爱)(?P<about>.{1,60})",
            IDENTITY,
            "喜欢{about}。",
            family="taste",
            unless="喜欢(?:你|这|那|的)",
        ),
        Rule(r"我(?:正)?在学(?:习)?(?P<about>.{1,30})", SKILLS, "正在学{about}。", family="skill"),
        Rule(r"我(?:会|擅长)(?P<about>(?:说|用|弹|写).{1,20})", SKILLS, "会{about}。", family="skill"),
        Rule(r"(?:请)?提醒我(?P<about>.{1,40})", FOLLOW_UPS, "希望被提醒：{about}。", family="reminder"),
    ),
)
