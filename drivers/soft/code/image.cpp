// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/code/image.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "drivers/soft/interp/interface.h"
#include "shaders/ir/eval.h"

namespace terrazzo::soft {

namespace {

struct ImageHeader {
    uint32_t bytes_B, slot_count, entry_B;
};
struct SlotHeader {
    uint32_t offset_B, name_B;
    int64_t addend;
};

template <class T>
void append(const T& v, std::vector<uint8_t>* out) {
    const auto* p = reinterpret_cast<const uint8_t*>(&v);
    out->insert(out->end(), p, p + sizeof v);
}

template <class T>
bool take(std::span<const uint8_t>* from, T* v) {
    if (from->size() < sizeof *v) return false;
    std::memcpy(v, from->data(), sizeof *v);
    *from = from->subspan(sizeof *v);
    return true;
}

}  // namespace

void append_image(const CodeImage& image, std::vector<uint8_t>* out) {
    append(ImageHeader{uint32_t(image.bytes.size()), uint32_t(image.slots.size()), image.entry_B}, out);
    for (const CodeImage::Slot& s : image.slots) {
        append(SlotHeader{s.offset_B, uint32_t(s.symbol.size()), s.addend}, out);
        out->insert(out->end(), s.symbol.begin(), s.symbol.end());
    }
    out->insert(out->end(), image.bytes.begin(), image.bytes.end());
}

bool read_image(std::span<const uint8_t> from, CodeImage* out) {
    ImageHeader h;
    if (!take(&from, &h)) return false;
    CodeImage image;
    for (uint32_t n = 0; n < h.slot_count; ++n) {
        SlotHeader s;
        if (!take(&from, &s) || from.size() < s.name_B) return false;
        if (s.offset_B > h.bytes_B || h.bytes_B - s.offset_B < 8) return false;
        image.slots.push_back(
            {s.offset_B, std::string(reinterpret_cast<const char*>(from.data()), s.name_B), s.addend});
        from = from.subspan(s.name_B);
    }
    if (from.size() != h.bytes_B || h.entry_B >= h.bytes_B) return false;
    image.bytes.assign(from.begin(), from.end());
    image.entry_B = h.entry_B;
    *out = std::move(image);
    return true;
}

namespace {

/// `rows`: the result and four operands, consecutive.
void run_kernel(uint32_t (*rows)[kLanes], ir::Kernel kernel) {
    kernel(rows[0], rows[1], rows[2], rows[3], rows[4], kLanes);
}

}  // namespace

std::optional<CodeMemory> load_image(const CodeImage& image, std::string* error, CodeMapping how) {
    for (const CodeImage::Slot& s : image.slots) {
        if (s.symbol.empty() || find_runtime_symbol(s.symbol)) continue;
        *error = "the code calls " + s.symbol + ", which is not known";
        return std::nullopt;
    }
    auto memory = CodeMemory::load(
        image.bytes.size(),
        [&](uint8_t* to, const uint8_t* at) {
            std::memcpy(to, image.bytes.data(), image.bytes.size());
            for (const CodeImage::Slot& s : image.slots) {
                const void* const target = s.symbol.empty() ? at : find_runtime_symbol(s.symbol);
                const uint64_t address = uint64_t(reinterpret_cast<uintptr_t>(target)) + uint64_t(s.addend);
                std::memcpy(to + s.offset_B, &address, sizeof address);
            }
        },
        how);
    if (!memory) *error = "this host gives no executable memory";
    return memory;
}

std::string kernel_symbol(ir::Op op, ir::Type result, ir::Type operand) {
    return "kernel_" + std::to_string(unsigned(op)) + '_' + std::to_string(unsigned(result)) + '_' +
           std::to_string(unsigned(operand));
}

const void* find_runtime_symbol(const std::string& name) {
    struct Known {
        const char* name;
        const void* address;
    };
    static const Known kKnown[] = {
        {"memset", reinterpret_cast<const void*>(&::memset)},
        {"memcpy", reinterpret_cast<const void*>(&::memcpy)},
        {"memmove", reinterpret_cast<const void*>(&::memmove)},
        {"sample_indexed", reinterpret_cast<const void*>(&sample_indexed)},
        {"texture_size", reinterpret_cast<const void*>(&texture_size)},
        {"texture_size_indexed", reinterpret_cast<const void*>(&texture_size_indexed)},
        {"call_memory", reinterpret_cast<const void*>(&call_memory)},
        {"wait_at_barrier", reinterpret_cast<const void*>(&wait_at_barrier)},
        {"run_kernel", reinterpret_cast<const void*>(&run_kernel)},
        {"fmaf", reinterpret_cast<const void*>(static_cast<float (*)(float, float, float)>(::fmaf))},
    };
    for (const Known& k : kKnown)
        if (name == k.name) return k.address;
    unsigned op, result, operand;
    char rest;
    if (std::sscanf(name.c_str(), "kernel_%u_%u_%u%c", &op, &result, &operand, &rest) != 3) return nullptr;
    constexpr unsigned kTypes = unsigned(ir::Type::F32) + 1;
    if (op >= unsigned(ir::Op::Count_) || result >= kTypes || operand >= kTypes) return nullptr;
    return reinterpret_cast<const void*>(ir::kernel(ir::Op(op), ir::Type(result), ir::Type(operand)));
}

}  // namespace terrazzo::soft
