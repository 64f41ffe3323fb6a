// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/registers.h"

#include <array>
#include <cstdio>
#include <memory>

namespace terrazzo::adreno::hw {

namespace {

struct Index {
    // By register number: 1 + the index in `rows`; 0: none.
    std::array<uint16_t, 65536> position{};
    std::array<const fields::RegisterRow*, 4096> rows{};
    unsigned count = 0;

    Index() {
        for (auto table : {FrontRegisters::rows(), GeometryRegisters::rows(), GrasRegisters::rows(),
                           RbRegisters::rows(), ShaderRegisters::rows(), HlsqRegisters::rows()}) {
            for (const fields::RegisterRow& row : table) {
                rows[count++] = &row;
                for (unsigned element = 0; element < row.elements; ++element)
                    for (unsigned word = 0; word < row.count; ++word)
                        position[row.first + element * row.stride + word] = uint16_t(count);
            }
        }
    }
};

}  // namespace

RegisterAt find_register(uint16_t number) {
    static const std::unique_ptr<const Index> index = std::make_unique<Index>();
    const unsigned position = index->position[number];
    if (!position) return {};
    const fields::RegisterRow* row = index->rows[position - 1];
    const unsigned offset = number - row->first;
    if (row->elements == 1) return {row, 0, offset};
    return {row, offset / row->stride, offset % row->stride};
}

std::string register_name(uint16_t number) {
    const RegisterAt at = find_register(number);
    if (!at.row) {
        char text[8];
        std::snprintf(text, sizeof text, "0x%04x", number);
        return text;
    }
    std::string name = at.row->name;
    if (at.row->elements > 1) name += '[' + std::to_string(at.element) + ']';
    if (at.word) name += '+' + std::to_string(at.word);
    return name;
}

void print_regid(fields::Printer& p, const char* name, uint64_t regid) {
    constexpr uint64_t kNone = 63 << 2;
    const std::string text =
        regid == kNone ? "none" : 'r' + std::to_string(regid >> 2) + '.' + "xyzw"[regid & 3];
    p.sink.line(p.indent, std::string(name) + ": " + text);
}

void print_register(fields::Printer& p, const char* name, uint64_t number) {
    const std::string known = number <= 0xffff ? register_name(uint16_t(number)) : std::string();
    if (known.empty() || known[0] == '0') return p.hex(name, number);
    char hex[24];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(number));
    p.sink.line(p.indent, std::string(name) + ": " + hex + " (" + known + ')');
}

}  // namespace terrazzo::adreno::hw
