/// Where a store's file is damaged.
enum DamageRegion: String, CaseIterable, CustomStringConvertible {
    /// The first two pages: what every engine reads first, and most of it in its first bytes.
    case firstPages = "first pages"
    /// The first bytes of any page, where trees keep their links and counts.
    case pageHeaders = "page headers"
    /// Anywhere.
    case anywhere

    var description: String { rawValue }

    private static let pageSize = 4_096

    /// A place in a file of `size` bytes.
    func offset(in size: Int, using generator: inout some RandomNumberGenerator) -> Int {
        switch self {
        case .firstPages:
            let page = Int.random(in: 0..<2, using: &generator) * Self.pageSize
            let isAtStart = Int.random(in: 0..<4, using: &generator) > 0
            return min(page + Int.random(in: 0..<(isAtStart ? 256 : Self.pageSize), using: &generator), size - 1)
        case .pageHeaders:
            let page = Int.random(in: 0..<size / Self.pageSize, using: &generator) * Self.pageSize
            return page + Int.random(in: 0..<64, using: &generator)
        case .anywhere:
            return Int.random(in: 0..<size, using: &generator)
        }
    }
}
