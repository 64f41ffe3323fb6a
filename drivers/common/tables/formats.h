// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vendor's table of the formats of pipe that its hardware has.
#pragma once

#include <array>
#include <cstdint>

#include "pipe/format.h"

namespace terrazzo::tables {

template <class Row>
struct FormatNamed {
    pipe::Format format;
    Row row;
};

/// Finds rows by format. `Row` is a vendor's row. A second row for one format does not compile.
template <class Row>
class FormatTable {
  public:
    template <size_t kCount>
    consteval explicit FormatTable(const FormatNamed<Row> (&rows)[kCount]) : rows_(rows) {
        static_assert(kCount < 255);
        for (size_t i = 0; i < kCount; ++i) {
            uint8_t& index = index_[size_t(rows[i].format)];
            if (index) two_rows_for_one_format();
            index = uint8_t(i + 1);
        }
    }
    /// nullptr: the hardware does not have the format.
    [[nodiscard]] constexpr const Row* operator()(pipe::Format format) const {
        const uint8_t index = index_[size_t(format)];
        return index ? &rows_[index - 1].row : nullptr;
    }

  private:
    static void two_rows_for_one_format();  // ends compilation: it is not constexpr

    const FormatNamed<Row>* rows_;
    std::array<uint8_t, pipe::kFormatCount> index_{};
};

}  // namespace terrazzo::tables
