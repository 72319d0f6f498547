"""Statements in Chinese: a few, so that a Chinese conversation leaves something."""

# ruff: noqa: RUF001 (Chinese punctuation)

from __future__ import annotations

import re

from infra.local.offline_model.body import FOLLOW_UPS, IDENTITY, SKILLS, WORK
from infra.local.offline_model.rules.table import Rule, Table
from infra.local.offline_model.slots import CALLED, EMPLOYER, NAME, ORIGIN, PLACE, READING

_REMARK = re.compile(
    r"，(?:但|不过|因为|所以|如果|你|经常|今天|昨天|\d{4}-|味道|进步|非常|这|那|它|觉得|感觉|让|有些|最近|很高兴|也请|请).*"
)
_ADVERBS = "(?:也|还|很|都|最|非常|特别|一直|比较|主要|现在|其实)*"
_MARKS = " ,.。，！!；;～~"


def tidy(value: str) -> str:
    """Without remarks, without marks at its ends, without the possessive of the first person."""
    return (
        _REMARK.sub("", value)
        .strip(_MARKS)
        .replace("我的", "")
        .replace("我", "自己")
        .removesuffix("了")
        .removesuffix("呢")
    )


CHINESE = Table(
    tidy=tidy,
    alone={
        "name": "名叫{name}。",
        "called": "希望被称为{called}。",
        "employer": "在{employer}工作。",
        "place": "住在{place}。",
        "origin": "来自{origin}。",
        "reading": "正在读{reading}。",
    },
    rules=(
        Rule(r"(?:我叫|我的名字(?:是|叫))(?P<name>[\w·]{1,12})(?:，.*)?", IDENTITY, "", (NAME,)),
        Rule(
            r"(?:我觉得)?(?:请|你)?(?:也|还)?(?:可以|就)?叫我(?P<called>[\w·]{1,6}?)(?:吧|就好|就行|好了)?",
            IDENTITY,
            "",
            (CALLED,),
        ),
        Rule(r"我(?:现在|目前)?(?:住在|搬到(?:了)?)(?P<place>[^，]{1,20})(?:，.*)?", IDENTITY, "", (PLACE,)),
        Rule(r"我(?:是从|来自)(?P<origin>[^，]{1,20}?)(?:来的)?(?:，.*)?", IDENTITY, "", (ORIGIN,)),
        Rule(
            r"我(?:现在|目前)?在(?P<employer>[^，]{1,20}?)(?:工作|上班)(?:，.*)?",
            IDENTITY,
            "",
            (EMPLOYER,),
            unless="在(?:思考|考虑|找|换|努力|忙|认真)|一家|[一几]份|新工作",
        ),
        Rule(
            r"我(?:最近|现在|也|还)*(?:正)?在?(?:看|读)(?:了)?(?:一本)?(?:书)?(?:叫做?|名叫|名为)?(?P<reading>《.{1,30}?》)(?:的?书|这本书)?(?:，.*)?",
            IDENTITY,
            "",
            (READING,),
        ),
        Rule(rf"我{_ADVERBS}不(?:太)?喜欢(?P<about>.{1, 40})", IDENTITY, "不喜欢{about}。", family="taste"),
        Rule(
            r"我最喜欢的(?P<about>[^，是]{1,12})是(?P<value>.{1,40})",
            IDENTITY,
            "最喜欢的{about}是{value}。",
            family="favourite",
        ),
        Rule(
            rf"我{_ADVERBS}(?:喜欢|爱)(?P<about>.{{1,60}})",
            IDENTITY,
            "喜欢{about}。",
            family="taste",
            unless="喜欢(?:你|这|那|的)",
        ),
        Rule(
            r"我(?:正在?|在)?(?:计划|打算)去(?P<about>[^，]{1,12}?)(?:旅游|旅行|玩儿?)(?:，.*)?",
            WORK,
            "计划去{about}旅游。",
            family="trip",
        ),
        Rule(
            r"我(?:最近|现在|还|也|一直|正)*在学(?:习)?(?P<about>[^，]{1,30})(?:，.*)?",
            SKILLS,
            "正在学{about}。",
            family="skill",
            unless="一门|新的?技能|新的语言|时(?:，|$)",
        ),
        Rule(r"我(?:会|擅长)(?P<about>(?:说|用|弹|写).{1,20})", SKILLS, "会{about}。", family="skill"),
        Rule(r"(?:请)?提醒我(?P<about>.{1,40})", FOLLOW_UPS, "希望被提醒：{about}。", family="reminder"),
    ),
)
