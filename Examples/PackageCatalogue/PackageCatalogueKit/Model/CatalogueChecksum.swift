/// The number of packages and a checksum of them, the same in whatever order they come.
///
/// It is made from the values in memory, so it tells whether a store gives back what the file held,
/// whatever the bytes between look like.
struct CatalogueChecksum: Equatable, Sendable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(_ package: CataloguePackage) {
        count += 1
        sum &+= Self.hash(of: package)
    }

    mutating func remove(_ package: CataloguePackage) {
        count -= 1
        sum &-= Self.hash(of: package)
    }

    /// FNV-1a over all values. A byte that no UTF-8 text has ends each, so that ("ab", "c") is not ("a", "bc").
    private static func hash(of package: CataloguePackage) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        func mix(_ text: String?) {
            if let text { text.utf8.forEach(mix) } else { mix(0xFE) }
            mix(0xFF)
        }
        func mix(_ texts: [String]) {
            mix(String(texts.count))
            texts.forEach(mix)
        }
        mix(package.name)
        mix(package.version)
        mix(package.architecture)
        mix(package.description)
        mix(package.section)
        mix(package.priority?.rawValue)
        mix(package.source)
        mix(package.installedSize.map(String.init))
        mix(package.downloadSize.map(String.init))
        mix(package.depends.map(\.id))
        mix(package.recommends.map(\.id))
        mix(package.provides.map(\.id))
        mix(package.tags)
        return hash
    }
}

extension CatalogueChecksum: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    var description: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
