// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertices of a draw's primitives, listed by the CPU: strips, fans and restarted indices become
// independent primitives. And their number.
#pragma once

#include <span>
#include <vector>

#include "drivers/common/images/access.h"

namespace terrazzo::contexts {

class VertexList {
  public:
    /// Lists the gl_VertexIDs of an instance, primitive by primitive, at most `most` of them (a multiple of a
    /// primitive's). First waits for the device's writes to the indices.
    void list(images::ImageAccess& context, const pipe::DrawInfo& info,
              std::span<const pipe::DrawRange> ranges, uint64_t most);
    [[nodiscard]] std::span<const uint32_t> vertices() const { return listed_; }

  private:
    void add_range(const pipe::DrawInfo& info, const pipe::DrawRange& range, uint64_t most);
    void add_primitives(const pipe::DrawInfo& info, uint64_t most);

    std::vector<uint32_t> listed_;
    std::vector<uint32_t> run_;  // the vertices between two restarts
    std::vector<uint32_t> corners_;
};

/// The number of primitives of all instances. Where indices may restart, first waits for the device's writes
/// to them.
[[nodiscard]] uint64_t count_primitives(images::ImageAccess& context, const pipe::DrawInfo& info,
                                        std::span<const pipe::DrawRange> ranges);

}  // namespace terrazzo::contexts
