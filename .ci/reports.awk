# Reads surefire and failsafe XML reports. Prints one line "count TESTS FAILED SKIPPED" and one "skip CLASS#METHOD" for
# each skipped and "fail CLASS#METHOD" for each failed test. A class that was skipped before its first test has a report
# without tests: "skip CLASS#*". Only the reports' own elements count, not captured output.
function attribute(name,   at, rest) {
    at = index($0, " " name "=\"")
    if (!at) return ""
    rest = substr($0, at + length(name) + 3)
    return substr(rest, 1, index(rest, "\"") - 1)
}
function end_of_report() {
    if (class != "" && !of_class) { tests++; skipped++; print "skip " class "#*" }
    class = ""
}
FNR == 1 { end_of_report(); cdata = of_class = 0 }
{
    opened = !cdata
    if ($0 ~ /<!\[CDATA\[/) cdata = 1
    if ($0 ~ /\]\]>/) cdata = 0
    if (!opened) next
    sub(/<!\[CDATA\[.*/, "")
}
/<testsuite / { class = attribute("name") }
/<testcase / {
    of_class++
    method = attribute("name")
    sub(/[({\[].*$/, "", method)
    test = attribute("classname") "#" method
    tests++
    bad = 0
}
/<skipped/ { skipped++; print "skip " test }
/<(failure|error)[ >\/]/ { if (!bad++) { failed++; print "fail " test } }
END { end_of_report(); printf "count %d %d %d\n", tests, failed, skipped }
