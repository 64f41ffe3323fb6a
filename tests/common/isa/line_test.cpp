// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Lines of assembly: one description of a text is used for printing and for parsing.
#include <doctest/doctest.h>

#include <string>

#include "drivers/common/isa/line.h"

using namespace terrazzo::isa;

namespace {

constexpr Enumeration kSizes(1, {{0, "byte"}, {1, "word"}, {2, "wordpair"}});
constexpr Enumeration kColors(Enumeration::kNoDefault, {{1, "red"}, {2, "redder"}});

struct Thing {
    bool wide = false, wider = false;
    int32_t offset = 0;
    unsigned component = 0;
    uint8_t size = 1, color = 1;
    int64_t value = 0;
    std::string text;
    bool operator==(const Thing&) const = default;
};

/// "thing .wide .wider.SIZE.COLOR [5 +3].x = 0x1F (TEXT)"
void text_of(Line& line, Thing& t) {
    line.literal("thing");
    t.wide = line.is_name(" .wide", t.wide);
    t.wider = line.is_name(" .wider", t.wider);
    (void)line.is_named(".", kSizes, t.size);
    line.literal(".");
    line.named(kColors, "color", t.color);
    line.literal(" [");
    line.number(t.value, -5, 1000);
    if (line.is_before_number(" p", t.value > 100)) line.number(t.value, 101, 200);
    (void)line.signed_number(t.offset, t.offset != 0);
    line.literal("].");
    line.letter("xyzw", "component", t.component);
    line.literal(" (");
    if (!line.parses()) line.literal(t.text);
    const std::string_view text = line.until(')');
    if (line.parses()) t.text = text;
}

std::string print(Thing t) {
    std::string out;
    Line line(&out);
    text_of(line, t);
    return out;
}

/// The reason of the error, or "good".
std::string parse(std::string_view text, Thing* out = nullptr) {
    Error error;
    Thing t;
    Line line(text, &error);
    text_of(line, t);
    line.end("thing");
    if (line.ok() && out) *out = t;
    return line.ok() ? "good" : error.reason;
}

}  // namespace

TEST_CASE("isa: a line is printed and parsed by one description") {
    const Thing things[] = {{},
                            {.wide = true, .text = "a(b)c"},
                            {.wider = true, .offset = -7, .component = 3},
                            {.wide = true, .wider = true, .size = 2, .color = 2, .value = -5},
                            {.offset = 12, .size = 0, .value = 150}};
    const char* const texts[] = {
        "thing.red [0].x ()", "thing .wide.red [0].x (a(b)c)", "thing .wider.red [0-7].w ()",
        "thing .wide .wider.wordpair.redder [-5].x ()", "thing.byte.red [150 p150+12].x ()"};
    for (size_t n = 0; n < std::size(things); n++) {
        CHECK(print(things[n]) == texts[n]);
        Thing parsed;
        CHECK(parse(texts[n], &parsed) == "good");
        CHECK(parsed == things[n]);
    }
}

TEST_CASE("isa: blanks, defaults and hexadecimal numbers are parsed, too") {
    Thing t;
    CHECK(parse("  thing   .wide.word.red[ 0x1f ]. y(  )", &t) == "' y(  )' is no component");
    CHECK(parse("  thing   .wide.word.red[ 0x1f ].y (q)\t", &t) == "good");
    CHECK(t == Thing{.wide = true, .component = 1, .value = 31, .text = "q"});
}

TEST_CASE("isa: the first error of a line is kept") {
    CHECK(parse("thin") == "'thin' where 'thing' belongs");
    CHECK(parse("thing.widest.red [0].x ()") == "'widest.red [0].x ()' is no color");
    CHECK(parse("thing.red [1001].x ()") == "1001 is outside -5..1000");
    CHECK(parse("thing.red [q].x ()") == "'' is not a number");
    CHECK(parse("thing.red [0].v ()") == "'v ()' is no component");
    CHECK(parse("thing.red [0].x (") == "'' where ')' belongs");
    CHECK(parse("thing.red [0].x () more") == "thing: 'more' is too much");
    CHECK(parse("thing.red [0].x ()" + std::string(100, 'm')).size() == sizeof("thing: '' is too much") + 59);
}
