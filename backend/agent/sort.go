package agent

import "sort"

// sortStable sorts by a less function and keeps equal ones in their order.
func sortStable[T any](items []T, less func(a, b T) bool) {
	sort.SliceStable(items, func(i, j int) bool { return less(items[i], items[j]) })
}
