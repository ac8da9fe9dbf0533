"""What a full stop after a word means: the word lists behind sentence splitting.

Written for this project from general knowledge of the languages; the last full stop is left out. Languages
are mixed on purpose: a page's language is often unknown or wrong. So a form is listed only where it is
seldom the last word of a sentence in another language ("max.", "min.", "ill." are not).
"""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Titles and the like, with a capital: "Gen." and "Av." are abbreviations, "gen" and "av" words somewhere.
TITLES = _listed(
    "Mr Mrs Ms Messrs Dr Prof Rev Hon St Mt Ft Gen Col Maj Capt Cmdr Lt Sgt Cpl Pvt Adm Gov Sen Rep Pres "
    "Supt Det "
    "Hr Fr Frl Dipl Ing Mag Ir Drs Mevr Dhr Mme Mmes Mlle Mgr Mm Sig Sigg Dott Avv On Sr Sra Srta Sres "
    "Dra Lic Arq "
    "Gral Cnel Exmo Exma Doç Yrd Öğr Gör Uzm Opr Org Alb Yb Tğm Av Cad Sok Mah Apt Sn Hz Bpk Ks Św Płk Ul Nám"
)

# Always followed by more: "for example", "that is", "about".
BEFORE_MORE = _listed(
    # English
    "dr prof cf viz approx dept e.g i.e "
    # German, Dutch
    "z.b d.h u.a s.o s.u v.a o.g bzw ca evtl ggf inkl exkl sog vgl bspw zzgl abzgl geb gest jh jhd bijv "
    "d.w.z m.n resp "
    # French, Italian, Spanish, Portuguese, Romanian
    "p.ex c.-à-d dott.ssa sig.ra p.es uds p.ej pág págs ee.uu dvs "
    # Scandinavian, Finnish
    "bl.a t.ex t.o.m fr.o.m s.k d.v.s f.d kl f.eks hhv pga mht iht esim "
    # Slavic, Baltic, Greek
    "ул т.е т.к т.н проф акад см т.зв напр np tj tzn tzw inż płk m.in tzv např popř mudr judr phdr π.χ "
    "δηλ δρ pvz "
    # Turkish, Indonesian
    "doç yrd öğr bkz örn hlm "
    # Arabic, Persian, Hindi
    "د دکتر ر.ک डॉ श्री प्रो पं"
)

# May also close a sentence: then a word follows that begins one.
BEFORE_EITHER = _listed(
    "etc usw u.s.w o.ä jr inc ltd co corp bros llc plc gmbh kft zrt al ibid vs a.m p.m ph.d v.chr "
    "n.chr a.c d.c "
    "vb vd osv o.s.v itd itp i.t.d i.t.p т.д т.п др пр г гг руб тыс млн млрд atd apod stb şti a.ş κ.λπ κ.ά"
)

# Abbreviations only in front of a number: "No. 5", "S. 12", "Art. 7".
BEFORE_NUMBER = _listed(
    "no nos nr nrn nº núm num p pp s ss sec sek art arts abs bd vol vols ch chap kap pl fig figs abb tab "
    "par ziff "
    "seq cap pag str стр ст п рис табл č čl ust poz rys md "
    "jan feb mar apr jun jul aug sep sept oct okt nov dec dez"
)

# Words that begin a sentence more often than a name; they decide after "U.S." and after "etc."
STARTERS = _listed(
    "The A An He She It They We I You This That These Those There His Her Their Its Our My But And In On "
    "At For If "
    "When While After Before As With However What Who Why How So Not No Some Many "
    "Der Die Das Ein Eine Er Sie Es Wir Ich Ihr Dies Diese Dieser Doch Aber Und Im Am Auf Für Mit Nach "
    "Wenn Bei Auch "
    "Le La Les Un Une Il Elle Ils Elles Nous Vous Je Ce Cette Ces Mais Et En Dans Pour Avec Selon "
    "El Los Las Una Ella Ellos Este Esta Pero Y Con Por Según Lo Gli Uno Lui Lei Questo Questa Ma E Nel Per "
    "O Os As Um Uma Ele Ela Eles Mas Na Em Bu Şu Ancak Ama Ve Bir De Het Een Hij Zij Maar Dat Deze "
    "Он Она Они Это Но И В На Мы Я По Как Для Det Den Han Hon Hun Men Og Och To Ten Ta Ona Ale W"
)

# Languages in which a number with a full stop is an ordinal: "am 3. Oktober", "3. Köprü".
ORDINAL_LANGUAGES = _listed("de da no fi et lv lt cs sk sl hr sr bs hu tr az is pl")
