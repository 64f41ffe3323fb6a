// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reports of invalid descriptors.
#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

bool report_access(Fault* fault, const Window& memory, const std::string& what) {
    const bool mapped = memory.fault().mapped;
    return report(fault, mapped ? hw::ExceptionCode::PERM_FAULT_3 : hw::ExceptionCode::TRANSLATION_FAULT_3,
                  what, ": ", memory.fault());
}

void prefix(Fault* fault, const std::string& text) {
    fault->report = text + ": " + fault->report;
}

namespace detail {

bool read_words(Window& memory, uint64_t va, uint32_t* words, unsigned size_B, unsigned align_B,
                const char* what, Fault* fault) {
    if (va % align_B)
        return report(fault, what, " at ", hex_text(va), " is not aligned to ", align_B, " bytes");
    if (!memory.read(va, words, size_B)) return report_access(fault, memory, what);
    return true;
}

bool report_reserved(Fault* fault, const char* what, uint64_t va, const fields::ReservedBits& found) {
    fields::StringSink text;
    found.print(text, 0);
    while (!text.text.empty() && text.text.back() == '\n')
        text.text.pop_back();
    return report(fault, what, (va ? " at " + hex_text(va) : std::string()), ": ", text.text);
}

}  // namespace detail

}  // namespace terrazzo::mali::sim
