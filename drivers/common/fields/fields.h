// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The runtime of the code that gen_fields.py generates: packing and unpacking of values, findings of unpack,
// and the sink that printers write to. Pure functions on plain data; only StringSink allocates.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace terrazzo::fields {

// ---- Printing ----

/// Receives the lines of a printed structure. `indent` is the nesting level; the text has neither indentation
/// nor newline.
class Sink {
  public:
    virtual void line(unsigned indent, std::string_view text) = 0;

  protected:
    ~Sink() = default;
};

/// Collects lines, each indented by two spaces per level.
class StringSink final : public Sink {
  public:
    void line(unsigned indent, std::string_view text) override;
    std::string text;
};

/// Prints "name: value" lines of a structure.
struct Printer {
    Sink& sink;
    unsigned indent = 0;

    void number(const char* name, uint64_t value);
    void integer(const char* name, int64_t value);
    void hex(const char* name, uint64_t value);
    void flag(const char* name, bool value);
    void real(const char* name, float value);
    void bits(const char* name, uint32_t value);  // a word that is a float or an integer
    void enumerator(const char* name, const char* text, uint64_t value);  // text: null if there is none
    void reg(const char* name, char kind, uint64_t value);                // r5, d6
    void open(const char* name);                                          // "name:", followed by its parts
};

/// Appends a hexadecimal number without 0x, for texts of instructions.
void append_hex(std::string* out, uint64_t value, bool upper);
/// Appends the registers whose bits are set in `mask`, as r2:r3:r7; bit 0 is register `first`. Appends _ if
/// there are none.
void append_registers(std::string* out, uint32_t first, uint32_t mask);

/// A row of a block or bank of registers: the meaning of `count` 32-bit registers from `first` on. An array
/// has `elements` such rows, `stride` registers apart.
struct RegisterRow {
    const char* name;
    uint16_t first;
    uint8_t count;
    void (*print)(Sink& sink, const char* name, const uint32_t* words, unsigned indent);
    uint16_t elements = 1;
    uint16_t stride = 0;
};

/// The known part of a packet's payload.
struct PacketRow {
    uint8_t least_dw;  // a shorter payload is incomplete
    uint8_t size_dw;   // words with a known meaning
    bool repeats;      // the payload is a list of structures of size_dw words
    /// Prints the fields within the first words_dw words. `words` must have size_dw words.
    void (*print)(Sink& sink, const uint32_t* words, unsigned words_dw, unsigned indent);
};

// ---- Findings of unpack: values that hardware would not accept, or whose meaning is unknown ----

struct ReservedBits {
    struct Finding {
        const char*
            // Whose value no enumerator has, or that must be another constant; null: reserved bits.
            field;
        uint32_t word;   // for reserved bits
        uint64_t value;  // the bits that are set, or the field's value
    };
    static constexpr unsigned kMax = 16;  // later findings are only counted
    Finding finding[kMax];
    unsigned count = 0;

    void add(const char* field, uint32_t word, uint64_t value) {
        if (count < kMax) finding[count] = {field, word, value};
        ++count;
    }
    /// Adds the findings of a part that begins at word `at`.
    void append(const ReservedBits& part, uint32_t at) {
        for (unsigned i = 0; i < part.count; ++i) {
            const Finding f = i < kMax ? part.finding[i] : Finding{};
            add(f.field, f.field ? f.word : f.word + at, f.value);
        }
    }
    bool any() const { return count != 0; }
    /// Prints a line for each stored finding: "reserved bits 0x30 of word 2", "mode has no value 5".
    void print(Sink& sink, unsigned indent) const;
    /// All lines joined to one, with ";" between them.
    [[nodiscard]] std::string joined() const;
};

// ---- Packing ----

#ifdef NDEBUG
inline constexpr bool kChecked = false;
#else
inline constexpr bool kChecked = true;
#endif

/// Reports that a value cannot be packed, and aborts. Debug builds only.
[[noreturn]] void refuse(const char* field, const char* rule);

constexpr uint64_t low_mask(unsigned width) {
    return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

template <unsigned kWidth>
constexpr uint64_t put_uint(uint64_t value, const char* field) {
    if (kChecked && (value & ~low_mask(kWidth))) refuse(field, "the value does not fit");
    return value;
}

template <unsigned kWidth, unsigned kMinus>
constexpr uint64_t put_minus(uint64_t value, const char* field) {
    if (kChecked && value < kMinus) refuse(field, "the value is too small");
    return put_uint<kWidth>(value - kMinus, field);
}

template <unsigned kWidth, unsigned kShift>
constexpr uint64_t put_shr(uint64_t value, const char* field) {
    if (kChecked && (value & low_mask(kShift))) refuse(field, "the value is not aligned");
    return put_uint<kWidth>(value >> kShift, field);
}

/// Rounds up to a multiple of kAlign, a power of two.
template <unsigned kWidth, uint64_t kAlign>
constexpr uint64_t put_align(uint64_t value, const char* field) {
    return put_uint<kWidth>((value + kAlign - 1) & ~(kAlign - 1), field);
}

template <unsigned kWidth>
constexpr uint64_t put_log2(uint64_t value, const char* field) {
    if (kChecked && !std::has_single_bit(value)) refuse(field, "the value is no power of two");
    return put_uint<kWidth>(uint64_t(std::countr_zero(value)), field);
}

/// The number of groups of kGroup that hold `value`: at least 1, at most 2^kWidth, which is stored as 0.
template <unsigned kWidth, unsigned kGroup>
constexpr uint64_t put_groups(uint64_t value, const char* field) {
    const uint64_t groups = value ? (value + kGroup - 1) / kGroup : 1;
    if (kChecked && groups > uint64_t(1) << kWidth) refuse(field, "the value does not fit");
    return groups & low_mask(kWidth);
}

template <unsigned kWidth>
constexpr uint64_t put_int(int64_t value, const char* field) {
    if (kChecked && (value < -(int64_t(1) << (kWidth - 1)) || value >= int64_t(1) << (kWidth - 1)))
        refuse(field, "the value does not fit");
    return uint64_t(value) & low_mask(kWidth);
}

constexpr uint64_t put_float(float value) {
    return std::bit_cast<uint32_t>(value);
}

/// Fixed point with kFraction fraction bits: clamped, rounded to nearest, halves away from zero; NaN becomes
/// 0.
template <unsigned kWidth, unsigned kFraction, bool kSigned>
constexpr uint64_t put_fixed(float value) {
    constexpr double kHigh = double(low_mask(kWidth - kSigned)), kLow = kSigned ? -kHigh - 1 : 0;
    const double scaled = double(value) * double(uint64_t(1) << kFraction);
    if (!(scaled > kLow)) return scaled <= kLow ? uint64_t(int64_t(kLow)) & low_mask(kWidth) : 0;
    if (scaled >= kHigh) return uint64_t(kHigh);
    return uint64_t(int64_t(scaled < 0 ? scaled - 0.5 : scaled + 0.5)) & low_mask(kWidth);
}

// ---- Unpacking ----

template <unsigned kStart, unsigned kWidth>
constexpr uint64_t get(const uint32_t* words) {
    constexpr unsigned kWord = kStart / 32, kShift = kStart % 32, kWords = (kShift + kWidth + 31) / 32;
    uint64_t value = words[kWord] >> kShift;
    if constexpr (kWords > 1) value |= uint64_t(words[kWord + 1]) << (32 - kShift);
    if constexpr (kWords > 2) value |= uint64_t(words[kWord + 2]) << (64 - kShift);
    return value & low_mask(kWidth);
}

template <unsigned kWidth>
constexpr int64_t sign_extend(uint64_t value) {
    return int64_t(value << (64 - kWidth)) >> (64 - kWidth);
}

constexpr float get_float(uint64_t value) {
    return std::bit_cast<float>(uint32_t(value));
}

template <unsigned kWidth, unsigned kFraction, bool kSigned>
constexpr float get_fixed(uint64_t value) {
    const double number = kSigned ? double(sign_extend<kWidth>(value)) : double(value);
    return float(number / double(uint64_t(1) << kFraction));
}

}  // namespace terrazzo::fields
