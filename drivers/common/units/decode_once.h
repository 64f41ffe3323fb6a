// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::units {

/// The state of a descriptor by its name or address: the one that is in the map, or decode(&state). Null:
/// decode() failed, and will be asked again. Pointers stay valid until the map's owner clears it.
template <class Map, class Decode>
typename Map::mapped_type* decode_once(Map& map, const typename Map::key_type& key, Decode&& decode) {
    const auto [it, fresh] = map.try_emplace(key);
    if (!fresh || decode(&it->second)) return &it->second;
    map.erase(it);
    return nullptr;
}

}  // namespace terrazzo::units
