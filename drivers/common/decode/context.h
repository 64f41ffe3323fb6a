// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared context of a vendor's decoder: memory with the stream's own stores, lines with a limit, and the
// objects that were printed already.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "drivers/common/capture/memory.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::decode {

/// Calls the generated print(), found in T's namespace.
template <class T>
void print_value(fields::Sink& sink, const T& value, unsigned indent) {
    print(sink, value, indent);
}

class Context : public fields::Sink {
  public:
    Context(const capture::Memory& memory, fields::Sink& sink, uint64_t max_lines)
        : memory_(memory), sink_(sink), max_lines_(max_lines) {}

    [[nodiscard]] bool read(uint64_t va, void* dst, size_t size_B) const;
    /// False: not mapped, or too many stores.
    bool store(uint64_t va, uint32_t value);

    void line(unsigned indent, std::string_view text) override;
    [[gnu::format(printf, 3, 4)]] void print(unsigned indent, const char* format, ...);
    /// Prints "! reason". Returns false, for the caller to stop with.
    bool stop(unsigned indent, const char* reason);
    /// Whether no more lines are accepted; long loops check this.
    bool full() const { return lines_ > max_lines_; }

    /// False if it was called for the same kind and address before.
    bool first_time(char kind, uint64_t va) { return seen_.emplace(kind, va).second; }

    /// Returns whether it was called before with the same kind and address. If so, it prints
    /// "label @0x...: printed above".
    [[nodiscard]] bool printed_above(unsigned indent, const char* label, char kind, uint64_t va);

    /// Reads, unpacks and prints a descriptor: "label @0x...:", its fields, and findings with "!". False: it
    /// is not mapped, which was printed.
    template <class T, unsigned kAlign_B = T::kAlign_B>
    bool descriptor(unsigned indent, const char* label, uint64_t va, T* out) {
        uint32_t words[T::kSize_dw];
        if (!read(va, words, sizeof words)) {
            print(indent, "%s @0x%llx: unmapped", label, static_cast<unsigned long long>(va));
            return false;
        }
        print(indent, "%s @0x%llx:%s", label, static_cast<unsigned long long>(va),
              va % kAlign_B ? " ! misaligned" : "");
        unpack_and_print(indent + 1, words, out);
        return true;
    }
    /// The same for words in memory of ours.
    template <class T>
    void unpack_and_print(unsigned indent, const uint32_t* words, T* out) {
        fields::ReservedBits found;
        unpack(words, out, &found);
        print_value(static_cast<fields::Sink&>(*this), *out, indent);
        print_findings(indent, found);
    }
    /// Prints a line with "!" for each finding.
    void print_findings(unsigned indent, const fields::ReservedBits& found);

  protected:
    ~Context() = default;

  private:
    const capture::Memory& memory_;
    fields::Sink& sink_;
    const uint64_t max_lines_;
    uint64_t lines_ = 0;
    std::map<uint64_t, uint32_t> stores_;  // by address / 4
    std::set<std::pair<char, uint64_t>> seen_;
};

/// With a decoder's options, which have `max_lines`.
template <class Options>
class ContextOf : public Context {
  public:
    ContextOf(const capture::Memory& memory, fields::Sink& sink, const Options& options)
        : Context(memory, sink, options.max_lines), options(options) {}

    const Options& options;
};

}  // namespace terrazzo::decode
