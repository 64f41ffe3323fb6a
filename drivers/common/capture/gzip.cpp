// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/gzip.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace terrazzo::capture {

namespace {

constexpr unsigned kMaxLength = 15;  // bits per code
constexpr size_t kMostRatio = 1032;  // of deflate: 258 bytes for two bits
constexpr size_t kHead_B = 10, kTail_B = 8, kMaxStored_B = 65535;
enum Flag : uint8_t { kHeaderCrc = 2, kExtra = 4, kName = 8, kComment = 16, kReservedFlags = 0xe0 };

/// The bits of a deflate stream, lowest first. After the end, zeros follow; `overrun` says that some were
/// read.
class Bits {
  public:
    explicit Bits(std::span<const uint8_t> bytes) : bytes_(bytes) {}
    unsigned take(unsigned count) {
        unsigned value = 0;
        for (unsigned i = 0; i < count; ++i, ++position_)
            if (position_ / 8 < bytes_.size())
                value |= unsigned(bytes_[position_ / 8] >> (position_ % 8) & 1) << i;
        return value;
    }
    void align() { position_ = (position_ + 7) & ~size_t(7); }
    bool overrun() const { return position_ > bytes_.size() * 8; }
    size_t position_B() const { return (position_ + 7) / 8; }
    /// Reads whole bytes from a byte boundary on; fewer at the end.
    std::span<const uint8_t> take_bytes(size_t count) {
        const size_t begin = std::min(position_ / 8, bytes_.size());
        count = std::min(count, bytes_.size() - begin);
        position_ += count * 8;
        return bytes_.subspan(begin, count);
    }

  private:
    std::span<const uint8_t> bytes_;
    size_t position_ = 0;
};

/// A canonical prefix code: the number of symbols of each length, and the symbols sorted by length.
struct Code {
    std::array<uint16_t, kMaxLength + 1> count{};
    std::array<uint16_t, 288> symbol{};

    /// False: more codes than the lengths allow.
    bool init(std::span<const uint8_t> lengths) {
        count = {};
        for (uint8_t length : lengths)
            ++count[length];
        count[0] = 0;
        int left = 1;
        std::array<uint16_t, kMaxLength + 2> at{};
        for (unsigned length = 1; length <= kMaxLength; ++length) {
            left = left * 2 - count[length];
            if (left < 0) return false;
            at[length + 1] = uint16_t(at[length] + count[length]);
        }
        for (size_t i = 0; i < lengths.size(); ++i)
            if (lengths[i]) symbol[at[lengths[i]]++] = uint16_t(i);
        return true;
    }
    /// -1: there is no such code.
    int read(Bits& bits) const {
        int code = 0, first = 0, index = 0;
        for (unsigned length = 1; length <= kMaxLength; ++length) {
            code |= int(bits.take(1));
            const int here = count[length];
            if (code - first < here) return symbol[size_t(index + code - first)];
            index += here;
            first = (first + here) * 2;
            code *= 2;
        }
        return -1;
    }
};

constexpr uint16_t kLengthBase[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr uint8_t kLengthExtra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr uint16_t kDistanceBase[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                        33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                        1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr uint8_t kDistanceExtra[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

class Inflater {
  public:
    Inflater(std::span<const uint8_t> bytes, uint64_t most_B, std::vector<uint8_t>* out)
        : bits_(bytes), most_B_(most_B), out_(*out), begin_(out->size()) {}

    /// Null: success; position_B() is the end of the stream.
    const char* run() {
        for (bool last = false; !last;) {
            last = bits_.take(1);
            const unsigned kind = bits_.take(2);
            const char* error = kind == 0   ? stored()
                                : kind == 1 ? fixed()
                                : kind == 2 ? dynamic()
                                            : "a block of a kind that there is none of";
            if (error) return error;
            if (bits_.overrun()) return "the file ends within a block";
        }
        return nullptr;
    }
    size_t position_B() const { return bits_.position_B(); }

  private:
    bool room(size_t count) const { return out_.size() + count <= most_B_; }
    /// Appends `length` bytes from `back` bytes before the end; source and destination may overlap.
    void copy(size_t back, size_t length) {
        const size_t at = out_.size();
        out_.resize(at + length);
        uint8_t* const to = out_.data() + at;
        if (back == 1)
            std::memset(to, to[-1], length);
        else if (back >= length)
            std::memcpy(to, to - back, length);
        else
            for (size_t i = 0; i < length; ++i)
                to[i] = to[ptrdiff_t(i) - ptrdiff_t(back)];
    }

    const char* stored() {
        bits_.align();
        const unsigned length = bits_.take(16), check = bits_.take(16);
        if (length != (~check & 0xffff)) return "a stored block's length is damaged";
        if (!room(length)) return "it holds more than is read";
        const std::span<const uint8_t> bytes = bits_.take_bytes(length);
        if (bytes.size() != length) return "the file ends within a block";
        out_.insert(out_.end(), bytes.begin(), bytes.end());
        return nullptr;
    }

    const char* fixed() {
        std::array<uint8_t, 288> lengths;
        for (unsigned i = 0; i < lengths.size(); ++i)
            lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        std::array<uint8_t, 30> distances;
        distances.fill(5);
        Code literal, distance;
        if (!literal.init(lengths) || !distance.init(distances)) return "a code is damaged";
        return symbols(literal, distance);
    }

    const char* dynamic() {
        static constexpr uint8_t kOrder[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
        const unsigned literals = bits_.take(5) + 257, distances = bits_.take(5) + 1,
                       codes = bits_.take(4) + 4;
        if (literals > 286 || distances > 30) return "a block has more codes than there are";
        std::array<uint8_t, 320> lengths{};
        for (unsigned i = 0; i < codes; ++i)
            lengths[kOrder[i]] = uint8_t(bits_.take(3));
        Code code;
        if (!code.init({lengths.data(), 19})) return "a code is damaged";
        lengths = {};
        for (unsigned i = 0; i < literals + distances;) {
            const int symbol = code.read(bits_);
            if (symbol < 0 || bits_.overrun()) return "a code is damaged";
            if (symbol < 16) {
                lengths[i++] = uint8_t(symbol);
                continue;
            }
            if (symbol == 16 && i == 0) return "a code is damaged";
            const uint8_t value = symbol == 16 ? lengths[i - 1] : uint8_t(0);
            const unsigned repeat = symbol == 16   ? 3 + bits_.take(2)
                                    : symbol == 17 ? 3 + bits_.take(3)
                                                   : 11 + bits_.take(7);
            if (i + repeat > literals + distances) return "a code is damaged";
            std::fill_n(lengths.begin() + i, repeat, value);
            i += repeat;
        }
        Code literal, distance;
        if (!literal.init({lengths.data(), literals}) ||
            !distance.init({lengths.data() + literals, distances}))
            return "a code is damaged";
        return symbols(literal, distance);
    }

    const char* symbols(const Code& literal, const Code& distance) {
        for (;;) {
            const int symbol = literal.read(bits_);
            if (symbol < 0 || bits_.overrun()) return "the file ends within a block, or a code is damaged";
            if (symbol == 256) return nullptr;
            if (symbol < 256) {
                if (!room(1)) return "it holds more than is read";
                out_.push_back(uint8_t(symbol));
                continue;
            }
            if (symbol > 285) return "a length that there is none of";
            const unsigned length = kLengthBase[symbol - 257] + bits_.take(kLengthExtra[symbol - 257]);
            const int far = distance.read(bits_);
            if (far < 0 || far > 29) return "a distance that there is none of";
            const size_t back = kDistanceBase[far] + bits_.take(kDistanceExtra[far]);
            if (back > out_.size() - begin_) return "a distance leads before the beginning";
            if (!room(length)) return "it holds more than is read";
            copy(back, length);
        }
    }

    Bits bits_;
    const uint64_t most_B_;
    std::vector<uint8_t>& out_;
    const size_t begin_;
};

uint32_t get_u32(const uint8_t* p) {
    return uint32_t(p[0]) | uint32_t(p[1]) << 8 | uint32_t(p[2]) << 16 | uint32_t(p[3]) << 24;
}

void put_u32(std::vector<uint8_t>* out, uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        out->push_back(uint8_t(value >> shift));
}

/// The length of a member's header; 0: it is damaged.
size_t head_B(std::span<const uint8_t> file) {
    if (file.size() < kHead_B || !is_gzip(file) || file[2] != 8 || (file[3] & kReservedFlags)) return 0;
    const uint8_t flags = file[3];
    size_t at = kHead_B;
    if (flags & kExtra) {
        if (at + 2 > file.size()) return 0;
        at += 2 + size_t(file[at]) + size_t(file[at + 1]) * 256;
    }
    for (uint8_t text : {kName, kComment}) {
        if (!(flags & text)) continue;
        while (at < file.size() && file[at])
            ++at;
        ++at;
    }
    if (flags & kHeaderCrc) at += 2;
    return at <= file.size() ? at : 0;
}

}  // namespace

bool is_gzip(std::span<const uint8_t> file) {
    return file.size() >= 2 && file[0] == 0x1f && file[1] == 0x8b;
}

uint32_t crc32(std::span<const uint8_t> bytes) {
    // Eight bytes at a time: kTables[n][byte] is the effect of the byte n bytes later.
    static constexpr auto kTables = [] {
        std::array<std::array<uint32_t, 256>, 8> t{};
        for (uint32_t i = 0; i < 256; ++i) {
            uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
            t[0][i] = value;
        }
        for (size_t n = 1; n < 8; ++n)
            for (size_t i = 0; i < 256; ++i)
                t[n][i] = t[n - 1][i] >> 8 ^ t[0][t[n - 1][i] & 0xff];
        return t;
    }();
    uint32_t crc = ~uint32_t(0);
    size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        const uint32_t low = crc ^ get_u32(&bytes[at]), high = get_u32(&bytes[at + 4]);
        crc = kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^
              kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^
              kTables[1][high >> 16 & 0xff] ^ kTables[0][high >> 24];
    }
    for (; at < bytes.size(); ++at)
        crc = kTables[0][(crc ^ bytes[at]) & 0xff] ^ crc >> 8;
    return ~crc;
}

bool gunzip(std::span<const uint8_t> file, uint64_t most_B, std::vector<uint8_t>* out, const char** error) {
    // The last member has its size modulo 2^32: files that are too large are refused before unpacking, and
    // memory for the others is reserved.
    if (file.size() >= kHead_B + kTail_B) {
        const uint64_t last_B = get_u32(file.data() + file.size() - 4);
        if (last_B > most_B) {
            *error = "it holds more than is read";
            return false;
        }
        out->reserve(out->size() + size_t(std::min<uint64_t>(last_B, file.size() * kMostRatio)));
    }
    do {
        const size_t head = head_B(file);
        if (!head) {
            *error = "the head of a gzip file is damaged";
            return false;
        }
        file = file.subspan(head);
        const size_t begin = out->size();
        Inflater inflater(file, most_B, out);
        if ((*error = inflater.run())) return false;
        const size_t end = inflater.position_B();
        if (file.size() - end < kTail_B) {
            *error = "the file ends before its checksum";
            return false;
        }
        const std::span<const uint8_t> member = std::span(*out).subspan(begin);
        if (get_u32(file.data() + end) != crc32(member) ||
            get_u32(file.data() + end + 4) != uint32_t(member.size())) {
            *error = "the checksum of a gzip file is another";
            return false;
        }
        file = file.subspan(end + kTail_B);
    } while (!file.empty());
    return true;
}

std::vector<uint8_t> gzip(std::span<const uint8_t> bytes) {
    std::vector<uint8_t> out = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
    const uint32_t checksum = crc32(bytes), size = uint32_t(bytes.size());
    do {
        const size_t count = std::min(bytes.size(), kMaxStored_B);
        out.push_back(count == bytes.size());  // flags: last block, stored
        const uint16_t length = uint16_t(count), check = uint16_t(~length);
        for (uint16_t value : {length, check}) {
            out.push_back(uint8_t(value));
            out.push_back(uint8_t(value >> 8));
        }
        out.insert(out.end(), bytes.begin(), bytes.begin() + ptrdiff_t(count));
        bytes = bytes.subspan(count);
    } while (!bytes.empty());
    put_u32(&out, checksum);
    put_u32(&out, size);
    return out;
}

}  // namespace terrazzo::capture
