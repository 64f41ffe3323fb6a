// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/device.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdarg>
#include <cstdio>

#include "drivers/common/memory/device_impl.h"

namespace terrazzo::memory {

Device::Impl::Impl(Kernel& k)
    : kernel(k),
      limits(k.limits()),
      kernel_chooses(limits.data.empty() && limits.code.empty()),
      space(limits.data.begin, limits.data.end, limits.page_B, limits.large_page_B),
      executable_space(limits.code.begin, limits.code.end, limits.page_B, limits.large_page_B) {
    assert(std::has_single_bit(limits.page_B) && limits.page_B >= kMaxBlockAlign_B &&
           "blocks are aligned by the pages of their slabs");
}

Device::Device(const char* name, std::unique_ptr<Kernel> kernel, const pipe::Log& log, uint32_t flags)
    : vendor(name),
      recorded_flags(flags),
      kernel_(std::move(kernel)),
      log_(log),
      impl_(std::make_unique<Impl>(*kernel_)) {}

Device::~Device() {
    impl_->shrink_cache(0);
}

void Device::with_objects(const std::function<void(std::span<const Object>)>& f) {
    const std::lock_guard guard(impl_->mutex);
    std::vector<Object> objects;
    objects.reserve(impl_->live.size());
    for (const Memory& memory : impl_->live)
        objects.push_back({memory.handle, memory.va, memory.size_B, memory.cpu, memory.shared});
    f(objects);
}

void Device::slow(const char* format, ...) const {
    if (!tells_slow()) return;
    char text[256];
    va_list args;
    va_start(args, format);
    const int length = std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) log_(pipe::Severity::Performance, {text, std::min(size_t(length), sizeof text - 1)});
}

}  // namespace terrazzo::memory
