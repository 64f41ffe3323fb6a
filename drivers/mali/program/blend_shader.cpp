// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A hash table whose lists only grow at the front: readers follow pointers that never change.
#include "drivers/mali/program/blend_shader.h"

#include <utility>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/program/print_code.h"

namespace terrazzo::mali {

namespace {

size_t hash(const BlendKey& k) {
    uint64_t h = 0;
    const auto add = [&](uint64_t v) {
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    };
    const pipe::BlendTargetDesc& d = k.blend.desc;
    add(uint64_t(d.op_rgb) | uint64_t(d.op_alpha) << 8 | uint64_t(d.src_rgb) << 16 |
        uint64_t(d.dst_rgb) << 24 | uint64_t(d.src_alpha) << 32 | uint64_t(d.dst_alpha) << 40 |
        uint64_t(k.blend.write_mask) << 48 | uint64_t(k.target) << 56);
    add(uint64_t(k.blend.color_at_dw) << 32 | uint64_t(k.blend.format) << 3 | uint64_t(k.half_source) << 2 |
        uint64_t(k.blend.has_second) << 1 | uint64_t(k.blend.alpha_to_one));
    return size_t(h);
}

}  // namespace

BlendShaders::~BlendShaders() {
    for (std::atomic<Entry*>& bucket : buckets_)
        for (Entry* e = bucket.load(std::memory_order_relaxed); e;)
            delete std::exchange(e, e->next);
}

uint64_t BlendShaders::find(const BlendKey& key) {
    std::atomic<Entry*>& bucket = buckets_[hash(key) % kBuckets];
    const auto look = [&](Entry* e) {
        while (e && !(e->key == key))
            e = e->next;
        return e;
    };
    if (const Entry* e = look(bucket.load(std::memory_order_acquire))) [[likely]]
        return e->code.va();
    const std::lock_guard lock(mutex_);
    Entry* const first = bucket.load(std::memory_order_relaxed);
    if (const Entry* e = look(first)) return e->code.va();
    std::unique_ptr<Entry> made = make(key);
    if (!made) return 0;
    made->next = first;
    bucket.store(made.get(), std::memory_order_release);
    return made.release()->code.va();
}

std::unique_ptr<BlendShaders::Entry> BlendShaders::make(const BlendKey& key) {
    compiler::BlendTarget target;
    target.render_target = key.target;
    target.half_source = key.half_source;
    hw::pack(blend_conversion(key.blend.format, false, false), &target.conversion);
    device_.slow("blending into %s takes a shader", pipe::format_info(key.blend.format).name);
    const compiler::Binary binary = compiler::compile_blend(*blend::create_shader(key.blend), target);
    if (!binary.error.empty()) {
        device_.log()(pipe::Severity::Error, "mali: blend shader: " + binary.error);
        return nullptr;
    }
    print_code(device_, "blend shader: ", binary);
    auto entry = std::make_unique<Entry>();
    entry->key = key;
    if (!entry->code.upload(device_, binary.code)) throw std::bad_alloc();
    return entry;
}

}  // namespace terrazzo::mali
