import Foundation

@testable import Trove

extension GeoPoint {
    /// The way over the Earth to another point by the straight way through it: another formula than the library's.
    func distance(through other: GeoPoint) -> Double {
        let (first, second) = (vector, other.vector)
        let chord = zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        return 2 * Self.earthRadius * asin(min(1, chord / 2))
    }

    private var vector: [Double] {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
    }
}
