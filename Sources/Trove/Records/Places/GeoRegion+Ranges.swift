/// A region as ranges of points' codes, which an index is read by.
extension GeoRegion {
    /// How many cells are made of a region: each costs the begin of a range, and what they have beside the region is read in vain.
    private static let maxCells = 48
    /// Which part of a region's size may be read beside it before cells are divided further.
    private static let tolerance = 0.1

    /// Ranges of codes that have all points of the region, ascending, without overlaps; they also have other points.
    ///
    /// The map is divided in halves, and those again, wherever a half is partly outside of the region, the one with the most outside first.
    var codeRanges: [ClosedRange<UInt128>] {
        let boxes = boxes
        let size = boxes.reduce(0) { $0 + $1.size }
        var cells = [Cell(boxes)].filter { $0.inside > 0 }
        var outside = cells.reduce(0) { $0 + $1.outside }
        while cells.count < Self.maxCells, outside > size * Self.tolerance {
            guard let place = cells.indices.max(by: { cells[$0].outside < cells[$1].outside }), let halves = cells[place].halves(boxes) else { break }
            outside -= cells[place].outside
            cells.remove(at: place)
            for half in halves where half.inside > 0 {
                cells.append(half)
                outside += half.outside
            }
        }
        var ranges: [ClosedRange<UInt128>] = []
        for range in cells.map(\.codes).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, last.upperBound &+ 1 == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound...range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    /// A part of the map whose points have the same first bits in their codes.
    private struct Cell {
        let latitudes, longitudes: ClosedRange<UInt64>
        /// How many of the codes' bits are the same.
        let level: Int
        /// How much of it is in the region and how much is not, in steps of codes.
        let inside, outside: Double

        init(_ boxes: [CodeBox]) {
            self.init(0...UInt64.max, 0...UInt64.max, level: 0, boxes)
        }

        private init(_ latitudes: ClosedRange<UInt64>, _ longitudes: ClosedRange<UInt64>, level: Int, _ boxes: [CodeBox]) {
            self.latitudes = latitudes
            self.longitudes = longitudes
            self.level = level
            let own = CodeBox(latitudes: latitudes, longitudes: longitudes)
            inside = boxes.reduce(0) { $0 + own.commonSize($1) }
            outside = own.size - inside
        }

        var codes: ClosedRange<UInt128> {
            GeoPoint.code(
                latitude: latitudes.lowerBound, longitude: longitudes.lowerBound)...GeoPoint.code(
                    latitude: latitudes.upperBound, longitude: longitudes.upperBound)
        }

        /// Both halves by the next bit; nil of a point.
        func halves(_ boxes: [CodeBox]) -> [Cell]? {
            guard level < 128 else { return nil }
            let divided = level.isMultiple(of: 2) ? latitudes : longitudes
            let middle = divided.lowerBound + (divided.upperBound - divided.lowerBound) / 2
            return [divided.lowerBound...middle, middle + 1...divided.upperBound].map { half in
                level.isMultiple(of: 2) ? Cell(half, longitudes, level: level + 1, boxes) : Cell(latitudes, half, level: level + 1, boxes)
            }
        }
    }
}

extension GeoRegion.CodeBox {
    var size: Double { Self.count(latitudes) * Self.count(longitudes) }

    func commonSize(_ other: Self) -> Double {
        Self.count(latitudes, other.latitudes) * Self.count(longitudes, other.longitudes)
    }

    private static func count(_ range: ClosedRange<UInt64>) -> Double { Double(range.upperBound - range.lowerBound) + 1 }

    private static func count(_ range: ClosedRange<UInt64>, _ other: ClosedRange<UInt64>) -> Double {
        let (lower, upper) = (max(range.lowerBound, other.lowerBound), min(range.upperBound, other.upperBound))
        return lower <= upper ? count(lower...upper) : 0
    }
}
