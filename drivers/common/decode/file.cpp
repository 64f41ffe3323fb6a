// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/file.h"

#include <algorithm>

namespace terrazzo::decode {

void print_count(fields::Sink& out, std::string_view what, uint64_t count, std::string_view rest) {
    constexpr size_t kName_columns = 14, kNumber_columns = 10;
    const std::string number = std::to_string(count);
    std::string line(what);
    line.resize(std::max(line.size(), kName_columns), ' ');
    line.append(kNumber_columns - std::min(kNumber_columns, number.size()), ' ');
    out.line(0, line.append(number).append(rest));
}

}  // namespace terrazzo::decode
