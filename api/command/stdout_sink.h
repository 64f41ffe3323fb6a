// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints the lines of decoders and virtual GPUs.
#pragma once

#include <cstdio>
#include <string_view>

#include "drivers/common/fields/fields.h"

namespace terrazzo::command {

class StdoutSink final : public fields::Sink {
  public:
    void line(unsigned indent, std::string_view text) override {
        std::printf("%*s%.*s\n", int(indent) * 2, "", int(text.size()), text.data());
    }
};

}  // namespace terrazzo::command
