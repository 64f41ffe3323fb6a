// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A mapping that ends with its scope.
#pragma once

#include <cstddef>

#include "pipe/context.h"

namespace terrazzo::pipe {

class MapScope {
  public:
    MapScope(Context& context, Resource& resource, uint32_t level, const Box& box, uint32_t flags)
        : context_(context), resource_(resource), mapping_(context.map(resource, level, box, flags)) {}
    MapScope(const MapScope&) = delete;
    MapScope& operator=(const MapScope&) = delete;
    ~MapScope() {
        if (mapping_.data) context_.unmap(resource_, mapping_);
    }
    explicit operator bool() const { return mapping_.data; }
    /// The first byte of row y (of blocks) of image z, relative to the box's corner.
    [[nodiscard]] uint8_t* row(int64_t y, int64_t z) const {
        return static_cast<uint8_t*>(mapping_.data) + y * int64_t(mapping_.row_stride_B) +
               z * int64_t(mapping_.layer_stride_B);
    }
    [[nodiscard]] ptrdiff_t row_stride_B() const { return ptrdiff_t(mapping_.row_stride_B); }

  private:
    Context& context_;
    Resource& resource_;
    const Mapping mapping_;
};

}  // namespace terrazzo::pipe
