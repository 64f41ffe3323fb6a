// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of categories 1 to 4 as micro-operations on the rows of a wave's register file.
#pragma once

#include "drivers/adreno/sim/core/program.h"
#include "drivers/common/core/micro.h"

namespace terrazzo::adreno::sim {

/// How many sources an instruction reads, and how many results it writes, in one execution. A repeat is an
/// execution of its own, except of sct and gat, whose four moves are one.
unsigned executions(const Step& s);
unsigned source_count(const Step& s);
unsigned result_count(const Step& s);
/// bary.f: it reads both weights once, whatever its repeats.
bool is_input(const Step& s);
inline constexpr unsigned kMostInputs = 4;  // with repeats
/// Source or result `n` of execution `repeat`, with the register and the cycle in which it is accessed,
/// counted from the instruction's first.
struct Access {
    const Operand* operand;
    unsigned step;  // registers after the operand's first one
    unsigned cycle;
};
Access source_of(const Step& s, unsigned n, unsigned repeat);
Access result_of(const Step& s, unsigned n, unsigned repeat);

/// Calls read() for the sources that are registers or constants, and write() for the results that are kept,
/// in the order of the accesses. Stops at the first call that returns false, and returns false, too.
template <class Read, class Write>
bool each_access(const Step& s, Read&& read, Write&& write) {
    const bool input = is_input(s), none = s.dst[0].from == From::Nowhere;
    for (unsigned r = 0; r < executions(s); ++r) {
        for (unsigned n = 0; n < (!input ? source_count(s) : r || none ? 0u : 2u); ++n) {
            const Access a = source_of(s, n, r);
            if (a.operand->from != From::Number && !read(a)) return false;
        }
        for (unsigned n = 0; n < result_count(s); ++n) {
            const Access a = result_of(s, n, r);
            if (a.operand->from != From::Nowhere && !write(a)) return false;
        }
    }
    return true;
}

/// Appends all executions of a step that has rows only (Step::straight).
void lower(const Step& s, RegisterMode mode, core::MicroBuilder& build);
/// One execution: its sources, without neg, abs and extension, are in the rows from kSourceRow on, and its
/// results go to those from kResultRow on, in the destination's precision.
void lower_apart(const Step& s, core::MicroBuilder& build);

}  // namespace terrazzo::adreno::sim
