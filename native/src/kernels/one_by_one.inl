// For instruction sets where nothing is gained by summing several tallies at once.

template <int N>
inline void settle_totals(const Tally (&tallies)[N], std::uint32_t (&totals)[N]) {
    for (int i = 0; i < N; ++i)
        totals[i] = static_cast<std::uint32_t>(tallies[i].total());
}
