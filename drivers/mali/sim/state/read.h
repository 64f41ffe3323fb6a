// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Reads descriptors from GPU memory, strictly: an unmapped, misaligned or wrong descriptor, or one with
// reserved bits set, is a fault that names the descriptor and its address.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/common/host/text.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

using host::hex_text;

/// Sets `fault`, with the parts of its report (host::text_of); returns false.
template <class... Part>
bool report(Fault* fault, hw::ExceptionCode code, const Part&... part) {
    *fault = {code, host::text_of(part...)};
    return false;
}
template <class... Part>
bool report(Fault* fault, const Part&... part) {
    return report(fault, hw::ExceptionCode::DATA_INVALID_FAULT, part...);
}
/// Reports a refused access; "what at 0x...: read of 4 bytes at ...".
bool report_access(Fault* fault, const Window& memory, const std::string& what);

/// Inserts text before a fault's report.
void prefix(Fault* fault, const std::string& text);

namespace detail {
bool read_words(Window& memory, uint64_t va, uint32_t* words, unsigned size_B, unsigned align_B,
                const char* what, Fault* fault);
bool report_reserved(Fault* fault, const char* what, uint64_t va, const fields::ReservedBits& found);
}  // namespace detail

template <class T>
bool read_struct(Window& memory, uint64_t va, T* out, const char* what, Fault* fault,
                 unsigned align_B = T::kAlign_B) {
    uint32_t words[T::kSize_dw];
    if (!detail::read_words(memory, va, words, T::kSize_B, align_B, what, fault)) return false;
    fields::ReservedBits found;
    if (hw::unpack(words, out, &found)) return true;
    return detail::report_reserved(fault, what, va, found);
}

/// The same for words in registers.
template <class T>
bool take_struct(const uint32_t* words, T* out, const char* what, Fault* fault) {
    fields::ReservedBits found;
    if (hw::unpack(words, out, &found)) return true;
    return detail::report_reserved(fault, what, 0, found);
}

}  // namespace terrazzo::mali::sim
