// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/vertices.h"

namespace terrazzo::units {

namespace {

constexpr uint32_t kUnseen = ~0u;
constexpr size_t kSpread = 8;  // a table by id may have this many entries per id

}  // namespace

void UniqueVertices::add(const std::vector<uint32_t>& ids, uint32_t instance,
                         std::vector<VertexInvocation>* vertices, std::vector<uint32_t>* places) {
    if (ids.empty()) return;
    const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
    const uint32_t first = *low;
    const uint64_t range = uint64_t(*high) - first + 1;
    const bool dense = range <= ids.size() * kSpread + 64;
    if (!dense) {
        sorted_ = ids;
        std::sort(sorted_.begin(), sorted_.end());
        sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    }
    table_.assign(dense ? size_t(range) : sorted_.size(), kUnseen);
    size_t place = places->size();
    places->resize(place + ids.size());
    for (const uint32_t id : ids) {
        const size_t at =
            dense ? size_t(id - first)
                  : size_t(std::lower_bound(sorted_.begin(), sorted_.end(), id) - sorted_.begin());
        if (table_[at] == kUnseen) {
            table_[at] = uint32_t(vertices->size());
            vertices->push_back({id, instance});
        }
        (*places)[place++] = table_[at];
    }
}

void BatchVertices::join(std::vector<VertexInvocation>* vertices) {
    vertices->clear();
    places_.clear();
    ids_.clear();
    uint32_t instance = 0;
    const auto add = [&] {
        unique_.add(ids_, instance, vertices, &places_);
        ids_.clear();
    };
    size_t all = 0;
    for (unsigned n = 0; n < parts(); ++n) {
        parts_[n].first_place = all;
        all += parts_[n].vertices.size();
        for (const VertexInvocation& v : parts_[n].vertices) {
            if (v.instance != instance) add();
            instance = v.instance;
            ids_.push_back(v.index);
        }
    }
    add();
}

}  // namespace terrazzo::units
