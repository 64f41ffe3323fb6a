// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Appends instructions to a shader's code during selection. A vendor's selector `Self` derives from it
// through select_regions.h, and has
//   void legalize(Inst&)                     legalizes the sources; may append other instructions first
//   void move_to(Word word, Ref)         moves a Ref of any kind into the word
// It may replace in_word().
// Its Inst has `proto` (an instruction of its isa, whose namespace has make(op)), `dest` and `src`. Sources
// are written in braces, which are evaluated from left to right: so the order of the code does not depend on
// the C++ compiler.
#pragma once

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "drivers/common/backend/machine.h"

namespace terrazzo::backend {

/// The sources of an instruction with `kCount` sources. Another number does not compile.
template <typename Ref, size_t kCount>
struct Sources {
    template <typename... R>
    requires(sizeof...(R) == kCount && (std::is_convertible_v<R, Ref> && ...)) Sources(const R&... r)
        : refs{r...} {}
    Ref refs[kCount];
};

template <typename Self, typename Code, typename Ref>
class Emitter {
  protected:
    explicit Emitter(Code& f) : f_(f) {}

    // --- values
    /// Creates a node of new words of class `cls`; returns the first one.
    Word new_words(unsigned count, uint8_t cls = 0) { return f_.add_node(count, false, cls); }
    /// A new word for a value of 32 or 16 bits. If the target has classes of several widths, that of halves
    /// is the second one.
    Ref new_word(bool half = false) {
        return Ref::word(new_words(1, kAliases<typename Code::Target> && half), half);
    }
    static Ref zero() { return Ref::immediate(0); }
    static Ref minus_zero() { return negated(zero()); }
    static Ref number(float v) { return Ref::immediate(std::bit_cast<uint32_t>(v)); }

    // --- instructions
    int32_t begin_block() {
        f_.blocks.emplace_back(f_.memory);
        block_ = f_.blocks.size() - 1;
        return int32_t(block_);
    }
    /// Legalizes the instruction and appends it.
    template <typename Inst>
    Inst& push(Inst i) {
        self().legalize(i);
        auto& insts = f_.blocks[block_].insts;
        insts.push_back(i);
        return insts.back();
    }
    template <typename Proto>
    void alu_to(Word word, const Proto& proto, std::span<const Ref> src) {
        typename decltype(f_.blocks[0].insts)::value_type i;
        i.proto = proto;
        i.dest = word;
        std::copy(src.begin(), src.end(), i.src.begin());
        push(i);
    }
    template <typename Proto>
    void alu_to(Word word, const Proto& proto, std::initializer_list<Ref> src) {
        alu_to(word, proto, std::span(src.begin(), src.size()));
    }
    /// Appends an instruction that writes a new word, and returns the word.
    template <typename Proto, typename... Width>
    Ref alu(const Proto& proto, std::span<const Ref> src, Width... width) {
        const Word word = new_words(1, width...);
        if constexpr (std::is_enum_v<Proto>)
            alu_to(word, make(proto), src);
        else
            alu_to(word, proto, src);
        return Ref::word(word, width...);
    }
    template <typename Proto, typename... Width>
    Ref alu(const Proto& proto, std::initializer_list<Ref> src, Width... width) {
        return alu(proto, std::span(src.begin(), src.size()), width...);
    }
    /// A word that holds the value, with its modifiers applied (as a float).
    Word in_word(const Ref& r) {
        if (r.is_whole()) return r.as_word();
        const Word word = new_words(1);
        self().move_to(word, r);
        return word;
    }
    Ref in_register(const Ref& r) {
        Ref held = Ref::word(self().in_word(r));
        if constexpr (requires { held.half; }) held.half = r.half;
        return held;
    }
    /// Copies the sources into a node of consecutive words; returns its first word.
    template <typename... Width>
    Word collect(std::span<const Ref> refs, Width... width) {
        const Word node = new_words(unsigned(refs.size()), width...);
        for (unsigned k = 0; k < refs.size(); k++)
            self().move_to(node + k, refs[k]);
        return node;
    }
    Word collect(std::initializer_list<Ref> refs) { return collect(std::span(refs.begin(), refs.size())); }

    Code& f_;
    size_t block_ = 0;  // the block that instructions are appended to

  private:
    Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace terrazzo::backend
