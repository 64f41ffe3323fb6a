// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/program/pieces.h"

#include <new>
#include <vector>

#include "shaders/own_stack.h"

namespace terrazzo::agx {

namespace {

size_t mix(size_t hash, uint64_t v) {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    return size_t((hash ^ v) * kMultiplier >> 7);
}

size_t hash_of(const FetchKey& key) {
    size_t h = 0;
    for (const FetchKey::Location& l : key.at)
        h = mix(h, uint64_t(l.attribute.format) | uint64_t(l.attribute.components) << 8 |
                       uint64_t(l.components) << 16 | uint64_t(l.attribute.divisor) << 32);
    return h;
}

size_t hash_of(const StoreKey& key) {
    const pipe::BlendTargetDesc& d = key.blend.desc;
    return mix(mix(size_t(key.blends), uint64_t(d.src_rgb) | uint64_t(d.dst_rgb) << 8 |
                                           uint64_t(d.src_alpha) << 16 | uint64_t(d.dst_alpha) << 24),
               uint64_t(key.target.format) | uint64_t(key.target.mask) << 8 |
                   uint64_t(key.target.target) << 16 | uint64_t(key.target.offset_B) << 24);
}

}  // namespace

const compiler::Binary& Pieces::fetch(const FetchKey& key) {
    const auto make = [&] {
        return shaders::on_own_stack([&] {
            std::vector<compiler::Attribute> attributes;
            uint8_t components[compiler::kMaxAttributes] = {};
            for (unsigned n = 0; n < key.at.size(); ++n) {
                if (!key.at[n].components) continue;
                attributes.push_back(key.at[n].attribute);
                components[n] = key.at[n].components;
            }
            return std::make_unique<const compiler::Binary>(compiler::compile_fetch(attributes, components));
        });
    };
    return *fetches_.find(key, make, hash_of(key));
}

const compiler::Binary& Pieces::store(const StoreKey& key) {
    const auto make = [&] {
        return shaders::on_own_stack([&] {
            const auto shader = key.blends ? blend::create_shader(key.blend) : nullptr;
            return std::make_unique<const compiler::Binary>(
                compiler::compile_blend(shader.get(), key.target));
        });
    };
    return *stores_.find(key, make, hash_of(key));
}

}  // namespace terrazzo::agx
