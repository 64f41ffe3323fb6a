// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Another compiler's programs run without a fault, and nearly every flag and nop is needed: without it there
// is one.
#include <doctest/doctest.h>
#include <sstream>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

struct MesaProgram {
    const char* name;
    unsigned half_registers, full_registers, constants;
    const char* text;
};
const MesaProgram kPrograms[] = {
#define MESA_PROGRAM(...) {__VA_ARGS__},
#include "tests/adreno/sim/core/mesa_programs.inc"
#undef MESA_PROGRAM
};

// Small integers, floats, or zeros, depending on the seed.
uint32_t value(unsigned seed, uint32_t* state) {
    *state = *state * 1664525 + 1013904223;
    const uint32_t random = *state >> 8;
    if (seed % 3 == 0) return random % 4;
    return seed % 3 == 1 ? std::bit_cast<uint32_t>(float(random % 1000) / 250 - 1) : 0;
}

// The report of a fault; "" at the end or a barrier.
std::string run(const MesaProgram& p, const std::string& text, unsigned seed) {
    Runner r(text);
    r.wave->half_registers = p.half_registers;
    r.wave->full_registers = p.full_registers;
    uint32_t state = seed * 7919 + 1;
    r.constants.assign(4 * p.constants, 0);
    for (uint32_t& c : r.constants)
        c = value(seed, &state);
    r.wave->constants = r.wave->writable_constants = r.constants;
    r.shared.resize(1 << 16);
    r.wave->shared = r.shared;
    for (unsigned reg = 0; reg < 4 * p.full_registers; ++reg)
        for (unsigned lane = 0; lane < 64; ++lane)
            (void)r.wave->set({uint8_t(reg)}, false, lane, value(seed, &state));
    r.core->turn_limit = 20000;
    return r.run() == Outcome::Fault ? r.fault.reason + " (" + r.fault.instruction + ")" : "";
}

bool is_hazard(const std::string& why) {
    return why.find("too early") != std::string::npos || why.find("without (") != std::string::npos;
}

std::vector<std::string> lines_of(const char* text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

std::string join(const std::vector<std::string>& lines, size_t at, const std::string& instead) {
    std::string text;
    for (size_t k = 0; k < lines.size(); ++k)
        text += (k == at ? instead : lines[k]) + "\n";
    return text;
}

// The line without a flag or with one idle cycle less; "" if it has neither.
std::string without(const std::string& line, const std::string& what) {
    const size_t at = line.find(what);
    if (at == std::string::npos) return "";
    std::string less = line;
    if (what == "(ss)" || what == "(sy)") return less.erase(at, 4);
    const char count = line[at + 4];
    if (count == '1') return less.erase(at, 6);
    less[at + 4] = char(count - 1);
    return less;
}

}  // namespace

TEST_CASE("ir3 core: Mesa's programs have no hazard") {
    for (const MesaProgram& p : kPrograms) {
        for (unsigned seed = 0; seed < 12; ++seed) {
            CAPTURE(std::string(p.name));
            const std::string why = run(p, p.text, seed);
            // The random registers lead to addresses beyond local memory.
            const bool expected = why.empty() || why.find("local memory at") == 0;
            CHECK_MESSAGE(expected, why);
        }
    }
}

TEST_CASE("ir3 core: a missing flag or nop is found") {
    unsigned found = 0, missed = 0;
    for (const MesaProgram& p : kPrograms) {
        const std::vector<std::string> lines = lines_of(p.text);
        for (size_t i = 0; i < lines.size(); ++i) {
            for (const char* what : {"(ss)", "(sy)", "(nop", "(rpt"}) {
                if (std::string_view(what) == "(rpt" && lines[i].find(")nop") == std::string::npos) continue;
                const std::string less = without(lines[i], what);
                if (less.empty()) continue;
                bool seen = false;
                for (unsigned seed = 0; seed < 3 && !seen; ++seed)
                    seen = is_hazard(run(p, join(lines, i, less), seed));
                found += seen;
                missed += !seen;
            }
        }
    }
    // Flags that are not needed are not found (before the end, in code that did not run, for texture
    // prefetches).
    MESSAGE(found << " found, " << missed << " missed");
    CHECK(found >= 80);
    CHECK(found >= 5 * missed);
}
