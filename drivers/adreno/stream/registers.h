// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Packed registers as type-4 packets. Adjacent registers share a packet: put_registers(out, a, b, c) writes
// one header if b and c follow a. With constant values the compiler computes all words.
#pragma once

#include <concepts>
#include <cstdint>

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno {

/// An element of a register array: Element{3, hw::RB_MRT_PITCH{...}}.
template <class R>
struct Element {
    unsigned index;
    R value;
    static constexpr unsigned kSize_dw = R::kSize_dw;
};
template <class R>
Element(unsigned, R) -> Element<R>;

/// A register named by its number, for registers that have the same layout in each stage.
struct NumberedRegister {
    uint16_t number;
    uint32_t value;
    static constexpr unsigned kSize_dw = 1;
};

/// The most words that put_registers() writes for these registers.
template <class... R>
inline constexpr uint32_t kMostWords = (0u + ... + (R::kSize_dw + 1));

/// Writes registers in sequence to `out`, which must have room for kMostWords.
class RegisterRun {
  public:
    explicit RegisterRun(uint32_t* out) : at_(out) {}
    template <class R>
    void add(const R& reg) {
        if constexpr (std::same_as<R, NumberedRegister>) {
            *open(reg.number, 1) = reg.value;
        } else if constexpr (requires { reg.index; }) {
            pack(reg.value, open(decltype(reg.value)::at(reg.index), R::kSize_dw));
        } else {
            pack(reg, open(R::kRegister, R::kSize_dw));
        }
    }
    /// Returns the address after the last word.
    uint32_t* finish() {
        close();
        return at_;
    }

  private:
    uint32_t* open(uint16_t number, uint32_t size_dw) {
        if (!header_ || number != first_ + count_ || count_ + size_dw > hw::kMaxWrites) {
            close();
            header_ = at_++;
            first_ = number;
            count_ = 0;
        }
        count_ += size_dw;
        at_ += size_dw;
        return at_ - size_dw;
    }
    void close() {
        if (header_) *header_ = hw::pack_type4(uint16_t(first_), count_);
    }

    uint32_t* at_;
    uint32_t* header_ = nullptr;
    uint32_t first_ = 0, count_ = 0;
};

/// CP_CONTEXT_REG_BUNCH: registers in any order; one may occur several times.
class RegisterBunch {
  public:
    /// `out` must have room for one word, and two for each register.
    explicit RegisterBunch(uint32_t* out) : header_(out), at_(out + 1) {}
    template <class R>
    void add(const R& reg) {
        if constexpr (requires { reg.index; })
            put(decltype(reg.value)::at(reg.index), hw::pack32(reg.value));
        else
            put(R::kRegister, hw::pack32(reg));
    }
    /// Returns the address after the last word.
    uint32_t* finish() {
        *header_ = hw::pack_type7(hw::Pm4Opcode::CP_CONTEXT_REG_BUNCH, uint32_t(at_ - header_ - 1));
        return at_;
    }

  private:
    void put(uint32_t number, uint32_t value) {
        *at_++ = number;
        *at_++ = value;
    }
    uint32_t* const header_;
    uint32_t* at_;
};

template <class... R>
uint32_t* put_registers(uint32_t* out, const R&... regs) {
    RegisterRun run(out);
    (run.add(regs), ...);
    return run.finish();
}

/// Writes a type-7 packet. `size_dw`: the words of its payload that are written, if the last ones are
/// optional.
template <class P>
uint32_t* put_packet(uint32_t* out, const P& packet, uint32_t size_dw = P::kSize_dw) {
    *out++ = hw::pack_type7(P::kOpcode, size_dw);
    if (size_dw == P::kSize_dw) {
        pack(packet, out);
    } else {
        uint32_t words[P::kSize_dw];
        pack(packet, words);
        for (uint32_t i = 0; i < size_dw; ++i)
            out[i] = words[i];
    }
    return out + size_dw;
}

}  // namespace terrazzo::adreno
