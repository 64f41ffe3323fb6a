// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/indirect_draw.h"

#include <array>
#include <cstring>

namespace terrazzo::contexts {

bool read_parameters(images::ImageAccess& context, const pipe::DrawInfo& info, DirectDraw* out) {
    auto& r = static_cast<images::StoredResource&>(*info.indirect.resource);
    const uint32_t size_B = parameters_B(info);
    if (info.indirect.offset_B + size_B > r.desc.width) return false;
    context.wait_for_writes(r);
    std::array<uint32_t, 5> p{};
    std::memcpy(p.data(), r.cpu_memory().first + info.indirect.offset_B, size_B);
    *out = {info, {.first = p[2], .count = p[0]}};
    out->info.indirect = {};
    out->info.instance_count = p[1];
    const bool indexed = info.index_type != pipe::IndexType::None;
    if (indexed) out->range.index_bias = int32_t(p[3]);
    out->info.first_instance = p[indexed ? 4 : 3];
    return true;
}

}  // namespace terrazzo::contexts
