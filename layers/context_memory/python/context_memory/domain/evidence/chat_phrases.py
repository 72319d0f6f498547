# ruff: noqa: RUF001, SIM905 - words are spelled in their own scripts; one line holds many of them
"""Words that tell a copied chat from a list of facts: both are lines with a label and a colon."""

from __future__ import annotations

import re

FIELDS = frozenset(
    """
    name nickname age born birthday birthdate from location city town country home address phone mobile email mail web
    job role title work employer company team department manager project projects task tasks goal goals skills tools
    language languages hobby hobbies like likes dislike dislikes love hate favourite favorite food diet allergies pets
    family kids children partner wife husband education degree school university experience background interests
    preferences style tone format topic context note notes todo to-do done question answer pro pros con cons
    example examples problem solution status deadline date time where when what who why how today tomorrow yesterday
    edit update summary input output expected actual error warning info step subject also first second third finally
    monday tuesday wednesday thursday friday saturday sunday morning afternoon evening weekend
    january february march april may june july august september october november december
    vorname nachname alter geboren geburtstag herkunft wohnort ort stadt land adresse telefon beruf rolle arbeit
    arbeitgeber firma abteilung projekt projekte aufgabe aufgaben ziel ziele kenntnisse werkzeuge sprache sprachen
    hobbys mag lieblingsessen essen allergien haustiere familie kinder partnerin frau mann ausbildung studium schule
    erfahrung interessen vorlieben stil ton thema kontext notiz notizen frage antwort vorteile nachteile beispiel
    montag dienstag mittwoch donnerstag freitag samstag sonntag heute morgen gestern
    nom prénom âge ville pays adresse téléphone métier poste emploi travail entreprise équipe projet objectif objectifs
    compétences langue langues loisirs famille enfants formation expérience intérêts préférences réponse
    lundi mardi mercredi jeudi vendredi samedi dimanche
    nombre edad ciudad país dirección teléfono trabajo puesto empresa equipo proyecto objetivo habilidades idioma
    idiomas aficiones familia hijos formación experiencia intereses preferencias pregunta respuesta
    lunes martes miércoles jueves viernes sábado domingo
    nome età città paese indirizzo telefono lavoro ruolo azienda squadra progetto obiettivo competenze lingua lingue
    famiglia figli formazione esperienza interessi preferenze domanda risposta
    idade cidade endereço telefone trabalho cargo equipe projeto habilidades línguas filhos
    naam leeftijd stad adres beroep werk bedrijf taal talen gezin kinderen opleiding ervaring vraag antwoord
    姓名 名字 年龄 年齡 城市 地址 电话 電話 职业 職業 工作 公司 部门 项目 目标 目標 技能 语言 語言 爱好 愛好 家庭 学历
    專業 专业 备注 問題 问题 回答 邮箱 生日 名前 氏名 年齢 住所 会社 趣味 言語 家族 質問 例 備考
    """.split()
)
"""What people write before a colon when they list facts, casefolded: none of it names a speaker."""

LABELS_OF_THE_USER = frozenset("me i myself ich moi je yo io eu ik 我 私 僕 я".split())
"""How people mark their own lines in a chat, casefolded."""

TALK = re.compile(
    r"[?!？！]|\b(?:i|i'm|i'll|i've|you|we|my|me|our|your|let's|ok|okay|hi|hello|thanks|yes|"
    r"ich|du|wir|sie|mir|mein\w*|dein\w*|ja|danke|je|tu|nous|vous|moi|mon|ma|oui|merci|yo|tú|mi|gracias|"
    r"io|noi|sono|ho|grazie|eu|você|obrigad[oa]|ik|jij|wij|mijn|я|ты|вы|мы|мой)\b|\bj'|"
    "[我你您他她咱私僕俺]|恭喜|谢谢|謝謝|好的|好啊|没事|哈哈|[吗嗎吧呢啊哦呀啦]$|です|ます|ました|だよ|だね|[ねよ]$",
    re.IGNORECASE,
)
"""How people talk to each other; lists of facts ("Likes: hiking") hold none of it."""
