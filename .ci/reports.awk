# Reads surefire and failsafe XML reports. Prints one line "count TESTS FAILED SKIPPED" and one "skip CLASS#METHOD" for
# each skipped and "fail CLASS#METHOD" for each failed test. Only the reports' own elements count, not captured output.
function attribute(name,   at, rest) {
    at = index($0, " " name "=\"")
    if (!at) return ""
    rest = substr($0, at + length(name) + 3)
    return substr(rest, 1, index(rest, "\"") - 1)
}
FNR == 1 { cdata = 0 }
{
    opened = !cdata
    if ($0 ~ /<!\[CDATA\[/) cdata = 1
    if ($0 ~ /\]\]>/) cdata = 0
    if (!opened) next
    sub(/<!\[CDATA\[.*/, "")
}
/<testcase / {
    method = attribute("name")
    sub(/[({\[].*$/, "", method)
    test = attribute("classname") "#" method
    tests++
    bad = 0
}
/<skipped/ { skipped++; print "skip " test }
/<(failure|error)[ >\/]/ { if (!bad++) { failed++; print "fail " test } }
END { printf "count %d %d %d\n", tests, failed, skipped }
